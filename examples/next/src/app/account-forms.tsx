"use client";

import { useRouter } from "next/navigation";
import { useActionState } from "react";
import { authClient } from "../auth-client";

interface State {
	error?: string;
	/** Kept for the next try. React empties a form that was sent. */
	email?: string;
}

/** The action of a form that sends its fields to Better Auth. */
function useAccountForm(
	send: (fields: {
		name: string;
		email: string;
		password: string;
	}) => Promise<{ error: { message?: string } | null }>,
) {
	const router = useRouter();
	return useActionState(async (_: State, form: FormData): Promise<State> => {
		const text = (name: string) => String(form.get(name) ?? "");
		const email = text("email");
		const { error } = await send({ name: text("name"), email, password: text("password") });
		if (error) return { email, error: error.message ?? "That did not work." };
		// The server component reads the new session.
		router.refresh();
		return {};
	}, {});
}

export function SignInForm() {
	const [{ error, email }, action, isPending] = useAccountForm(authClient.tenant.signIn.email);
	return (
		<form action={action}>
			<h2>Sign in</h2>
			{error && <p role="alert">{error}</p>}
			<label>
				Email
				<input name="email" type="email" autoComplete="email" defaultValue={email} required />
			</label>
			<label>
				Password
				<input name="password" type="password" autoComplete="current-password" required />
			</label>
			<button type="submit" disabled={isPending}>
				Sign in
			</button>
		</form>
	);
}

export function SignUpForm() {
	const [{ error, email }, action, isPending] = useAccountForm(authClient.tenant.signUp.email);
	return (
		<form action={action}>
			<h2>Create an account</h2>
			{error && <p role="alert">{error}</p>}
			<label>
				Name
				<input name="name" autoComplete="name" required />
			</label>
			<label>
				Email
				<input name="email" type="email" autoComplete="email" defaultValue={email} required />
			</label>
			<label>
				Password
				<input name="password" type="password" autoComplete="new-password" minLength={8} required />
			</label>
			<button type="submit" disabled={isPending}>
				Create account
			</button>
		</form>
	);
}

export function SignOutButton() {
	const router = useRouter();
	return (
		<form
			action={async () => {
				await authClient.signOut();
				router.refresh();
			}}
		>
			<button type="submit">Sign out</button>
		</form>
	);
}
