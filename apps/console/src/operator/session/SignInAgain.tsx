import type { ReactNode } from "react";
import { Dialog } from "../../ui/Dialog";
import type { Operator } from "./operator";
import { SignInSteps } from "./SignInPage";

type SignInAgainProps = { operator: Operator; open: boolean; onClose: () => void };

/** The session has ended while the console was open. What the operator has typed stays behind it. */
export function SignInAgain({ operator, open, onClose }: SignInAgainProps) {
	return (
		<Dialog title="Your session has ended" open={open} onClose={onClose}>
			<p>Sign in again to go on. What you have typed is still there.</p>
			<SignInSteps operator={operator} Frame={DialogPart} />
		</Dialog>
	);
}

const DialogPart = ({ children }: { children: ReactNode }) => (
	<div className="stack">{children}</div>
);
