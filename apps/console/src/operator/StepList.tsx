import { Badge } from "../ui/feedback";
import { DetailList } from "./details";

type Step = {
	name: string;
	state: "passed" | "failed" | "unknown" | "skipped";
	message: string;
};

const KINDS = {
	passed: "success",
	failed: "danger",
	unknown: "warning",
	skipped: "neutral",
} as const satisfies Record<Step["state"], string>;

type StepListProps<S extends Step> = { steps: S[]; titles: Record<S["name"], string> };

/** What the test of a connection says, step by step. */
export function StepList<S extends Step>({ steps, titles }: StepListProps<S>) {
	return (
		<DetailList
			details={steps
				.filter(({ state }) => state !== "skipped")
				.map(({ name, state, message }) => ({
					title: titles[name as S["name"]],
					value: (
						<>
							<Badge kind={KINDS[state]}>{state}</Badge> {message}
						</>
					),
				}))}
		/>
	);
}
