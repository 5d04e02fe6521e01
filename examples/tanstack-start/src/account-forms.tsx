import { useRouter } from "@tanstack/react-router";
import { useState } from "react";
import { createTenantClient } from "./auth-client";

type Answer = { error: { message?: string } | null };

/** Sends a form to Better Auth. Then the loader of the page reads the session again. */
function useSubmit() {
	const router = useRouter();
	const [error, setError] = useState<string>();
	const submit = async (answer: Promise<Answer>) => {
		const { error } = await answer;
		setError(error ? (error.message ?? "That did not work.") : undefined);
		if (!error) await router.invalidate();
	};
	return [error, submit] as const;
}

const read = (form: FormData) => ({
	name: String(form.get("name")),
	email: String(form.get("email")),
	password: String(form.get("password")),
});

export function AccountForms({ tenantId }: { tenantId: string }) {
	const { tenant } = createTenantClient(tenantId);
	const [error, submit] = useSubmit();
	return (
		<>
			{error && <p role="alert">{error}</p>}
			<form action={(form) => submit(tenant.signIn.email(read(form)))}>
				<h2>Sign in</h2>
				<label>
					Email <input name="email" type="email" autoComplete="email" required />
				</label>
				<label>
					Password
					<input name="password" type="password" autoComplete="current-password" required />
				</label>
				<button type="submit">Sign in</button>
			</form>
			<form action={(form) => submit(tenant.signUp.email(read(form)))}>
				<h2>Create an account</h2>
				<label>
					Name <input name="name" autoComplete="name" required />
				</label>
				<label>
					Email <input name="email" type="email" autoComplete="email" required />
				</label>
				<label>
					Password
					<input
						name="password"
						type="password"
						autoComplete="new-password"
						minLength={8}
						required
					/>
				</label>
				<button type="submit">Create account</button>
			</form>
		</>
	);
}

export function SignOutForm({ tenantId }: { tenantId: string }) {
	const [error, submit] = useSubmit();
	return (
		<form action={() => submit(createTenantClient(tenantId).signOut())}>
			{error && <p role="alert">{error}</p>}
			<button type="submit">Sign out</button>
		</form>
	);
}
