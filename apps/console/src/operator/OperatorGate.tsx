import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { ErrorState } from "../ui/feedback";
import {
	type ConsoleOperator,
	ConsoleOperatorContext,
	isInConsole,
	type Operator,
	useOperator,
} from "./session/operator";
import { SignInAgain } from "./session/SignInAgain";
import { GateLoading, SignInPage } from "./session/SignInPage";
import { Shell } from "./shell/Shell";

/** Shows the console to operators and the sign-in page to everyone else. */
export function OperatorGate() {
	const { data: operator, dataUpdatedAt, error, refetch } = useOperator();
	const known = useKnownOperator(operator);
	const [closedAt, setClosedAt] = useState(0);
	if (!operator && error) {
		return (
			<main className="gate">
				<ErrorState error={error} onRetry={refetch} />
			</main>
		);
	}
	if (!operator) return <GateLoading />;
	if (!known) return <SignInPage operator={operator} />;
	return (
		<ConsoleOperatorContext value={known}>
			<Shell operator={known} />
			<SignInAgain
				operator={operator}
				// It opens again with the next call that is rejected.
				open={!isInConsole(operator) && closedAt !== dataUpdatedAt}
				onClose={() => setClosedAt(dataUpdatedAt)}
			/>
		</ConsoleOperatorContext>
	);
}

/**
 * Who uses the console, also after the session has ended: a form that is open must stay. After a sign-out
 * there is no operator.
 */
function useKnownOperator(operator: Operator | undefined): ConsoleOperator | null {
	const queryClient = useQueryClient();
	const [known, setKnown] = useState<ConsoleOperator | null>(null);
	if (!operator && known) setKnown(null);
	const current = operator && isInConsole(operator) ? operator : null;
	const isOther = known !== null && current !== null && identityOf(known) !== identityOf(current);
	if (current && current !== known && !isOther) setKnown(current);
	useEffect(() => {
		// Somebody else must not see what this operator has loaded and typed.
		if (isOther) window.location.reload();
	}, [isOther]);
	const isSignedIn = current !== null;
	useEffect(() => {
		const hasFailed = ({ state }: { state: { status: string } }) => state.status === "error";
		if (isSignedIn) void queryClient.refetchQueries({ predicate: hasFailed });
	}, [isSignedIn, queryClient]);
	return isOther ? null : known;
}

const identityOf = (operator: ConsoleOperator) =>
	operator.kind === "admin" ? operator.id : `key ${operator.name}`;
