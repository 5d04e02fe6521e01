import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { Link, Navigate, useNavigate } from "react-router";
import { unwrap } from "../api/unwrap";
import { Button } from "../ui/Button";
import { Notice } from "../ui/Notice";
import { TextField } from "../ui/TextField";
import { AuthPage } from "./AuthPage";
import { EmailField } from "./EmailField";
import { hasCode, messageOf } from "./messages";
import { NewPasswordField } from "./NewPasswordField";
import { ProviderButtons } from "./ProviderButtons";
import { useReturnTo } from "./return-to";
import { sessionKey } from "./session";
import { useTenant } from "./tenant-context";
import { useCall } from "./use-call";

export function SignUpPage() {
	const { options } = useTenant();
	const { search } = useReturnTo();
	if (!options.email.signUp) return <Navigate to={`/sign-in${search}`} replace />;
	return (
		<AuthPage
			title="Create an account"
			footer={
				<>
					Have an account? <Link to={`/sign-in${search}`}>Sign in</Link>
				</>
			}
		>
			{options.providers.length > 0 && (
				<>
					<ProviderButtons />
					<p className="divider">or with your address</p>
				</>
			)}
			<SignUpForm />
		</AuthPage>
	);
}

const taken = ["USER_ALREADY_EXISTS", "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"];

function SignUpForm() {
	const { client, options, pageUrl } = useTenant();
	const { url, search } = useReturnTo();
	const navigate = useNavigate();
	const queryClient = useQueryClient();
	const [name, setName] = useState("");
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const { verification } = options.email;
	const signUp = useCall(
		() =>
			unwrap(
				client.tenant.signUp.email({
					name: name.trim(),
					email,
					password,
					callbackURL: search ? url : pageUrl("verify/done"),
				}),
			),
		({ token }) => {
			// Who was nobody on the way here is somebody now.
			queryClient.removeQueries({ queryKey: sessionKey(options.tenant.id) });
			if (token && !verification) navigate("/account");
			else navigate(`/verify${search}`, { state: { email, reason: "sign-up" } });
		},
	);
	const submit = (event: FormEvent) => {
		event.preventDefault();
		signUp.mutate();
	};
	const { error } = signUp;
	const isTaken = hasCode(error, ...taken);
	const isPassword = hasCode(error, "PASSWORD_TOO_SHORT", "PASSWORD_TOO_LONG");
	return (
		<form className="stack" onSubmit={submit}>
			{error && !isTaken && !isPassword && <Notice kind="danger">{messageOf(error)}</Notice>}
			<TextField
				label="Name"
				name="name"
				autoComplete="name"
				required
				maxLength={200}
				value={name}
				onChange={(event) => setName(event.target.value)}
			/>
			<EmailField value={email} onValue={setEmail} error={isTaken && messageOf(error)} />
			<NewPasswordField
				label="Password"
				value={password}
				onValue={setPassword}
				error={isPassword && messageOf(error)}
			/>
			<Button kind="primary" type="submit" wide busy={signUp.isPending || signUp.isSuccess}>
				Create account
			</Button>
		</form>
	);
}
