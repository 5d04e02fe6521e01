import { ErrorState } from "../ui/feedback";
import { useOperator } from "./session/operator";
import { GateLoading, SignInPage } from "./session/SignInPage";
import { Shell } from "./shell/Shell";

/** Shows the console to operators and the sign-in page to everyone else. */
export function OperatorGate() {
	const { data: operator, error, refetch } = useOperator();
	if (!operator && error) {
		return (
			<main className="gate">
				<ErrorState error={error} onRetry={refetch} />
			</main>
		);
	}
	if (!operator) return <GateLoading />;
	if (operator.kind === "key" || operator.kind === "admin") return <Shell operator={operator} />;
	return <SignInPage operator={operator} />;
}
