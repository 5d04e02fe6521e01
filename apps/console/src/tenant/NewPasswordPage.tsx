import { type FormEvent, useState } from "react";
import { Link, useSearchParams } from "react-router";
import { unwrap } from "../api/unwrap";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { AuthPage } from "./AuthPage";
import { hasCode, messageOf } from "./messages";
import { NewPasswordField } from "./NewPasswordField";
import { useTenant } from "./tenant-context";
import { useCall } from "./use-call";

/** Where the link of a mail about a forgotten password leads. */
export function NewPasswordPage() {
	const { client } = useTenant();
	const [query] = useSearchParams();
	const token = query.get("token");
	const [password, setPassword] = useState("");
	const reset = useCall(() =>
		unwrap(client.resetPassword({ newPassword: password, token: token ?? "" })),
	);
	if (reset.isSuccess) {
		return (
			<AuthPage title="Your password is changed">
				<p>From now on, sign in with the new one.</p>
				<Link className="button button-primary button-wide" to="/sign-in">
					Sign in
				</Link>
			</AuthPage>
		);
	}
	if (!token || hasCode(reset.error, "INVALID_TOKEN")) {
		return (
			<AuthPage title="This link does not work any more">
				<p>It has been used already, or it is older than an hour. Ask for a new one.</p>
				<Link className="button button-primary button-wide" to="/forgot-password">
					Ask for a new link
				</Link>
			</AuthPage>
		);
	}
	const submit = (event: FormEvent) => {
		event.preventDefault();
		reset.mutate();
	};
	const isPassword = hasCode(reset.error, "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG");
	return (
		<AuthPage title="Choose a new password">
			<form className="stack" onSubmit={submit}>
				{reset.error && !isPassword && <Notice kind="danger">{messageOf(reset.error)}</Notice>}
				<NewPasswordField
					label="New password"
					value={password}
					onValue={setPassword}
					error={isPassword && messageOf(reset.error)}
				/>
				<Button kind="primary" type="submit" wide busy={reset.isPending}>
					Save the new password
				</Button>
			</form>
		</AuthPage>
	);
}
