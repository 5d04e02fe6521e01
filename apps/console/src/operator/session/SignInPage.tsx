import { useQueryClient } from "@tanstack/react-query";
import { type ComponentType, type ReactNode, useState } from "react";
import { Link } from "react-router";
import { callApi } from "../../api/client";
import { useApiMutation } from "../../api/query-client";
import icon from "../../design/icon.svg";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { EmailField, Form, PasswordField } from "../../ui/fields";
import { mayFocusField } from "../../ui/pointer";
import { ThemeToggle } from "../../ui/theme";
import { client } from "../api/client";
import { type CurrentOperator, openConsole } from "../api/operators";
import { PRODUCT, titleOf } from "../product";
import { CodeForm } from "./CodeForm";
import { type Operator, operatorQuery, useSignOut } from "./operator";
import { SecondFactorForm } from "./SecondFactorForm";

const METHODS = { account: "Account", key: "Management key" } as const;

type Method = keyof typeof METHODS;

/** What the sign-in asks for next. */
type Step =
	| { name: "credentials" }
	| { name: "code" }
	/** The password is known if it was just typed. */
	| { name: "set-up"; password: string };

/** A page, or a dialog, with what the sign-in asks for. */
type Frame = ComponentType<GatePageProps>;

export const SignInPage = ({ operator }: { operator: Operator }) => (
	<SignInSteps operator={operator} Frame={GatePage} />
);

export function SignInSteps({ operator, Frame }: { operator: Operator; Frame: Frame }) {
	const queryClient = useQueryClient();
	const [method, setMethod] = useState<Method>("account");
	const [step, setStep] = useState<Step>(
		operator.kind === "no-second-factor"
			? { name: "set-up", password: "" }
			: { name: "credentials" },
	);
	if (step.name === "set-up") {
		return (
			<Frame
				title="Set up a second factor"
				hint="Operators sign in with a password and a code from an authenticator app."
			>
				<SecondFactorForm
					knownPassword={step.password}
					notice="After this, every sign-in asks for a code."
					onConfirmed={async () => {
						await openConsole();
						await queryClient.invalidateQueries(operatorQuery);
					}}
				/>
				<SignOutLink />
			</Frame>
		);
	}
	if (step.name === "code") {
		return (
			<Frame title="Enter the code" hint="Open your authenticator app to see it.">
				<CodeForm />
			</Frame>
		);
	}
	return (
		<Frame title={PRODUCT} hint="Sign in to the console.">
			{operator.kind === "other-user" && (
				<Notice kind="warning">
					<div className="stack stack-tight">
						<p>
							You are signed in as <strong className="break">{operator.email}</strong>, who is not
							an operator. Ask an owner for an invitation.
						</p>
						<SignOutLink />
					</div>
				</Notice>
			)}
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
			{method === "key" ? <KeyForm /> : <AccountForm onStep={setStep} />}
		</Frame>
	);
}

type GatePageProps = { title: string; hint?: ReactNode; children: ReactNode };

/** A page for somebody who is not in the console yet. */
export function GatePage({ title, hint, children }: GatePageProps) {
	return (
		<main className="gate">
			<title>{titleOf(title === PRODUCT ? "Sign in" : title)}</title>
			<div className="gate-corner">
				<ThemeToggle />
			</div>
			<div className="card gate-card">
				<div className="stack stack-tight gate-head">
					<ConsoleIcon />
					<h1>{title}</h1>
					{hint && <p className="muted">{hint}</p>}
				</div>
				{children}
			</div>
		</main>
	);
}

export function GateLoading() {
	return (
		<main className="gate" aria-busy="true" aria-label="Loading">
			<ConsoleIcon />
			<span className="spinner muted" aria-hidden="true" />
		</main>
	);
}

export function ConsoleIcon() {
	return <img className="console-icon" src={icon} alt="" width="36" height="36" />;
}

function KeyForm() {
	const [key, setKey] = useState("");
	const enter = useApiMutation({
		mutationFn: (typed: string) => openConsole(typed),
		invalidate: [operatorQuery.queryKey],
	});
	return (
		<Form onSubmit={() => !enter.isPending && enter.mutate(key.trim())}>
			<PasswordField
				label="Management key"
				hint="The browser does not keep it. You stay signed in for 12 hours, in all tabs."
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

type SignInResponse = { twoFactorRedirect?: boolean };

function AccountForm({ onStep }: { onStep: (step: Step) => void }) {
	const queryClient = useQueryClient();
	const [email, setEmail] = useState("");
	const [password, setPassword] = useState("");
	const signIn = useApiMutation({
		mutationFn: async (): Promise<CurrentOperator | "code"> => {
			const response = (await callApi(client.signIn.email({ email, password }))) as SignInResponse;
			return response.twoFactorRedirect ? "code" : openConsole();
		},
		onSuccess: (next) => {
			if (next === "code") onStep({ name: "code" });
			else if (next.status === "second-factor-required") onStep({ name: "set-up", password });
			else void queryClient.invalidateQueries(operatorQuery);
		},
		onError: () => setPassword(""),
	});
	return (
		<Form onSubmit={() => !signIn.isPending && signIn.mutate()}>
			{signIn.error && <Notice kind="danger">{signIn.error.message}</Notice>}
			<EmailField value={email} onValueChange={setEmail} autoFocus={mayFocusField()} />
			<PasswordField
				label="Password"
				aside={
					<Link className="small" to="/forgot-password">
						Forgot password?
					</Link>
				}
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

function SignOutLink() {
	const signOut = useSignOut();
	return (
		<p>
			<button type="button" className="link-button" onClick={signOut}>
				Sign out
			</button>
		</p>
	);
}
