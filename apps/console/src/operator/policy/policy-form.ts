import type { Policy } from "../api/policy";

export const UNITS = { minutes: 60, hours: 60 * 60, days: 24 * 60 * 60 } as const;

export type Unit = keyof typeof UNITS;

/** A duration as a form has it. An empty amount is no rule. */
export type Duration = { amount: string; unit: Unit };

/** In the biggest unit that gives a whole number. */
export function toDuration(seconds: number | null): Duration {
	if (seconds === null) return { amount: "", unit: "hours" };
	const unit = (["days", "hours"] as const).find((name) => seconds % UNITS[name] === 0);
	return { amount: String(seconds / UNITS[unit ?? "minutes"]), unit: unit ?? "minutes" };
}

export function toSeconds({ amount, unit }: Duration): number | null {
	const text = amount.trim().replace(",", ".");
	return text === "" ? null : Math.round(Number(text) * UNITS[unit]);
}

/** The values of the form. A list that is `null` allows everything. */
export type PolicyValues = {
	mode: Policy["signUp"]["mode"];
	emailDomains: string;
	methods: string[] | null;
	providers: string[] | null;
	fallbackToGlobal: boolean;
	minLength: string;
	rejectBreached: boolean;
	lifetime: Duration;
	idleTime: Duration;
	secondFactor: boolean;
};

export const toPolicyValues = (policy: Policy): PolicyValues => ({
	mode: policy.signUp.mode,
	emailDomains: policy.signUp.emailDomains?.join(" ") ?? "",
	methods: policy.signIn.methods,
	providers: policy.signIn.providers,
	fallbackToGlobal: policy.signIn.fallbackToGlobal,
	minLength: policy.password.minLength?.toString() ?? "",
	rejectBreached: policy.password.rejectBreached,
	lifetime: toDuration(policy.session.lifetime),
	idleTime: toDuration(policy.session.idleTime),
	secondFactor: policy.secondFactor.required,
});

export function toPolicy(values: PolicyValues): Policy {
	const domains = values.emailDomains.split(/[\s,;]+/).filter(Boolean);
	const minLength = values.minLength.trim();
	return {
		signUp: { mode: values.mode, emailDomains: domains.length > 0 ? domains : null },
		signIn: {
			// The service rejects methods that it does not know.
			methods: values.methods as Policy["signIn"]["methods"],
			providers: values.providers,
			fallbackToGlobal: values.fallbackToGlobal,
		},
		password: {
			minLength: minLength === "" ? null : Number(minLength),
			rejectBreached: values.rejectBreached,
		},
		session: { lifetime: toSeconds(values.lifetime), idleTime: toSeconds(values.idleTime) },
		secondFactor: { required: values.secondFactor },
	};
}

type Problems = Partial<Record<"minLength" | "lifetime" | "idleTime" | "methods", string>>;

const YEAR = 365 * UNITS.days;
const MAX_MIN_LENGTH = 128;

/** What the service would reject. */
export function findPolicyProblems(values: PolicyValues): Problems {
	const { password, session } = toPolicy(values);
	const problems: Problems = {};
	const { minLength } = password;
	if (minLength !== null && !isWhole(minLength, 1, MAX_MIN_LENGTH)) {
		problems.minLength = `Enter a whole number from 1 to ${MAX_MIN_LENGTH}.`;
	}
	for (const name of ["lifetime", "idleTime"] as const) {
		const seconds = session[name];
		if (seconds !== null && !isWhole(seconds, UNITS.minutes, YEAR)) {
			problems[name] = "Enter a time from 1 minute to 365 days.";
		}
	}
	if (values.methods?.length === 0) problems.methods = "With no method, nobody can sign in.";
	return problems;
}

const isWhole = (value: number, min: number, max: number) =>
	Number.isInteger(value) && value >= min && value <= max;
