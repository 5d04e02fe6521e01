import type { QueryKey } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { hasCode } from "../api/client";
import { useApiMutation } from "../api/query-client";
import { useErrorMessage } from "../sign-in/error-messages";
import { useTexts } from "../sign-in/texts/texts";
import { Notice } from "../ui/feedback";
import { Form, PasswordField } from "../ui/fields";

type PasswordFormProps<Output> = {
	/** Is first called without a password. */
	mutationFn: (body: { password?: string }) => Promise<Output>;
	successMessage?: string;
	invalidate?: QueryKey[];
	onSuccess: (output: Output) => void;
	/** Above the password. */
	children?: ReactNode;
	buttons: (isPending: boolean) => ReactNode;
};

/**
 * A form for something that needs the password of a user who has one. Users without a password do not
 * know that one is asked for, so the form asks only after the server has refused.
 */
export function PasswordForm<Output>({ children, buttons, ...action }: PasswordFormProps<Output>) {
	const { enroll, signIn } = useTexts();
	const errorMessage = useErrorMessage();
	const [password, setPassword] = useState("");
	const [asksPassword, setAsksPassword] = useState(false);
	const run = useApiMutation({
		...action,
		mutationFn: () => action.mutationFn(password ? { password } : {}),
		onError: (error) => {
			if (hasCode(error, "INVALID_PASSWORD")) setAsksPassword(true);
		},
	});
	const isFirstRefusal = hasCode(run.error, "INVALID_PASSWORD") && password === "";
	return (
		<Form onSubmit={() => run.mutate()}>
			{run.error && !isFirstRefusal && <Notice kind="danger">{errorMessage(run.error)}</Notice>}
			{children}
			{asksPassword && (
				<PasswordField
					label={signIn.password}
					hint={enroll.passwordHint}
					name="password"
					autoComplete="current-password"
					autoFocus
					required
					value={password}
					onValueChange={setPassword}
				/>
			)}
			{buttons(run.isPending)}
		</Form>
	);
}
