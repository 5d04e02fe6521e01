import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import icon from "../../design/icon.svg";
import { Button, CopyButton } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { EmailField, Form, PasswordField } from "../../ui/fields";
import { ThemeToggle } from "../../ui/theme";
import { client, saveManagementKey } from "../api/client";
import { PRODUCT, titleOf } from "../product";
import { isManagementKey, type Operator, operatorQuery, signOut } from "./operator";

const METHODS = { key: "Management key", admin: "Platform admin" } as const;

type Method = keyof typeof METHODS;

export function SignInPage({ operator }: { operator: Operator }) {
	const [method, setMethod] = useState<Method>(operator.kind === "other-user" ? "admin" : "key");
	return (
		<main className="gate">
			<title>{titleOf("Sign in")}</title>
			<div className="gate-corner">
				<ThemeToggle />
			</div>
			<div className="card gate-card">
				<div className="stack stack-tight gate-head">
					<ConsoleIcon />
					<h1>{PRODUCT}</h1>
					<p className="muted">Sign in to the console.</p>
				</div>
				{operator.kind === "other-user" && <NotAdminNotice operator={operator} />}
				<fieldset className="segments">
					<legend className="visually-hidden">Sign-in method</legend>
					{Object.entries(METHODS).map(([value, label]) => (
						<label key={value} className="segment">
							<input
								type="radio"
								name="method"
								value={value}
								checked={method === value}
								onChange={() => setMethod(value as Method)}
							/>
							<span>{label}</span>
						</label>
					))}
				</fieldset>
				{method === "key" ? <KeyForm /> : <AdminForm />}
			</div>
		</main>
	);
}

export function ConsoleIcon() {
	return <img className="console-icon" src={icon} alt="" width="36" height="36" />;
}

function KeyForm() {
	const [key, setKey] = useState("");
	const enter = useApiMutation({
		mutationFn: async (typed: string) => {
			// A header cannot have other characters.
			const isKey = /^[!-~]+$/.test(typed) && (await isManagementKey(typed));
			if (!isKey) throw new Error("This management key is not valid.");
			saveManagementKey(typed);
		},
		invalidate: [operatorQuery.queryKey],
	});
	return (
		<Form onSubmit={() => !enter.isPending && enter.mutate(key.trim())}>
			<PasswordField
				label="Management key"
				hint="Kept in this tab until you close it."
				value={key}
				onValueChange={setKey}
				error={enter.error?.message}
				autoComplete="off"
				required
			/>
			<Button kind="primary" type="submit" wide busy={enter.isPending}>
				Continue
			</Button>
		</Form>
	);
}

function AdminForm() {
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const signIn = useApiMutation({
		mutationFn: () =>
			callApi(client.signIn.email({ email, password })).finally(() => setPassword("")),
		invalidate: [operatorQuery.queryKey],
	});
	return (
		<Form onSubmit={() => !signIn.isPending && signIn.mutate()}>
			{signIn.error && <Notice kind="danger">{signIn.error.message}</Notice>}
			<EmailField value={email} onValueChange={setEmail} />
			<PasswordField
				label="Password"
				value={password}
				onValueChange={setPassword}
				autoComplete="current-password"
				required
			/>
			<Button kind="primary" type="submit" wide busy={signIn.isPending}>
				Sign in
			</Button>
		</Form>
	);
}

type NotAdminNoticeProps = { operator: Extract<Operator, { kind: "other-user" }> };

function NotAdminNotice({ operator }: NotAdminNoticeProps) {
	const queryClient = useQueryClient();
	return (
		<Notice kind="warning">
			<div className="stack stack-tight">
				<p>
					You are signed in as <strong>{operator.email}</strong>, who is not a platform admin. To
					change that, add this user ID to <code>ADMIN_USER_IDS</code> in the settings of the
					service:
				</p>
				<p className="with-button">
					<code className="break">{operator.id}</code>
					<CopyButton value={operator.id} what="user ID" />
				</p>
				<p>
					<button
						type="button"
						className="link-button"
						onClick={() => void signOut(queryClient, operator)}
					>
						Sign out
					</button>
				</p>
			</div>
		</Notice>
	);
}
