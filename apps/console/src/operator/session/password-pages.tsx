import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "react-router";
import { callApi, hasCode } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { EmailField, Form } from "../../ui/fields";
import { NewPasswordField } from "../../ui/NewPasswordField";
import { client } from "../api/client";
import { checkPasswordLink } from "../api/operators";
import { GateLoading, GatePage } from "./SignInPage";

export const MIN_LENGTH = 8;

const toSignIn = (
	<Link className="button button-primary button-wide" to="/">
		Sign in
	</Link>
);

/** Where the link of an invitation or of a password reset leads. */
export function NewPasswordPage() {
	const [query] = useSearchParams();
	const token = query.get("token") ?? "";
	const [newPassword, setNewPassword] = useState("");
	const { data: isValid, isLoading } = useQuery({
		queryKey: ["password-link", token],
		queryFn: () => checkPasswordLink(token),
		enabled: token !== "",
		staleTime: Number.POSITIVE_INFINITY,
		// Saving the password checks the link too.
		retry: false,
	});
	const save = useApiMutation({
		mutationFn: () => callApi(client.resetPassword({ newPassword, token })),
	});
	if (save.isSuccess) {
		return (
			<GatePage title="Password saved" hint="You can now sign in.">
				{toSignIn}
			</GatePage>
		);
	}
	if (isLoading) return <GateLoading />;
	if (!token || isValid === false || hasCode(save.error, "INVALID_TOKEN", "USER_NOT_FOUND")) {
		return (
			<GatePage
				title="This link no longer works"
				hint="It has expired or was already used. Ask an owner for a new one."
			>
				{toSignIn}
			</GatePage>
		);
	}
	return (
		<GatePage title="Choose a password">
			<Form onSubmit={() => !save.isPending && save.mutate()}>
				<NewPasswordField
					label="New password"
					hint={`At least ${MIN_LENGTH} characters.`}
					value={newPassword}
					onValueChange={setNewPassword}
					error={save.error?.message}
					minLength={MIN_LENGTH}
				/>
				<Button kind="primary" type="submit" wide busy={save.isPending}>
					Save password
				</Button>
			</Form>
		</GatePage>
	);
}

export function ForgotPasswordPage() {
	const [email, setEmail] = useState("");
	const request = useApiMutation({
		mutationFn: () =>
			callApi(client.requestPasswordReset({ email, redirectTo: "/console/new-password" })),
	});
	if (request.isSuccess) {
		return (
			<GatePage
				title="Check your email"
				hint={`If ${email} is an operator, we sent a link. It works for one hour.`}
			>
				{toSignIn}
			</GatePage>
		);
	}
	return (
		<GatePage title="Forgot your password?" hint="We will send you a link to set a new one.">
			<Form onSubmit={() => !request.isPending && request.mutate()}>
				{request.error && <Notice kind="danger">{request.error.message}</Notice>}
				<EmailField value={email} onValueChange={setEmail} />
				<Button kind="primary" type="submit" wide busy={request.isPending}>
					Send link
				</Button>
			</Form>
			<p>
				<Link to="/">Back to sign-in</Link>
			</p>
		</GatePage>
	);
}
