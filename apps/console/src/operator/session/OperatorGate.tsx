import { ErrorState } from "../../ui/ErrorState";
import { Skeleton } from "../../ui/Skeleton";
import { Shell } from "../layout/Shell";
import { useOperator } from "./operator";
import { SignInPage } from "./SignInPage";

/** The console for those who manage, and the sign-in for everybody else. */
export function OperatorGate() {
	const { data: operator, error, refetch } = useOperator();
	if (!operator && error) {
		return (
			<main className="gate">
				<ErrorState error={error} onRetry={refetch} />
			</main>
		);
	}
	if (!operator) {
		return (
			<main className="gate" aria-busy="true" aria-label="Loading">
				<Skeleton kind="block" />
			</main>
		);
	}
	if (operator.kind === "key" || operator.kind === "administrator") {
		return <Shell operator={operator} />;
	}
	return <SignInPage operator={operator} />;
}
