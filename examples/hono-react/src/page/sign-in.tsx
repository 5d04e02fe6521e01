import { useState } from "react";
import { client, type Workspace } from "./client.js";

export function SignIn({ workspace }: { workspace: Workspace }) {
	const [problem, setProblem] = useState<string>();

	const read = (form: FormData) => ({
		name: String(form.get("name")),
		email: String(form.get("email")),
		password: String(form.get("password")),
	});

	async function signIn(form: FormData) {
		const { email, password } = read(form);
		const { error } = await client.tenant.signIn.email({ email, password });
		setProblem(error?.message);
	}

	async function signUp(form: FormData) {
		const { error } = await client.tenant.signUp.email(read(form));
		setProblem(error?.message);
	}

	return (
		<>
			<h1>{workspace.tenant.name}</h1>
			{problem && (
				<p className="error" role="alert">
					{problem}
				</p>
			)}
			<form action={signIn}>
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
			{workspace.email.signUp && (
				<form action={signUp}>
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
							minLength={workspace.password.minLength}
							required
						/>
					</label>
					<button type="submit">Create account</button>
				</form>
			)}
		</>
	);
}
