import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { formatCount } from "../../format";
import { providerOf } from "../../providers";
import { ErrorState, Skeleton } from "../../ui/feedback";
import { Field, Form, Select, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { Checkbox, Switch } from "../../ui/Switch";
import { useApi } from "../api/context";
import type { Policy } from "../api/policy";
import type { PolicyLimits } from "../api/service";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useIsOwner, useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { SaveBar } from "../SaveBar";
import { useUnsavedChanges } from "../unsaved-changes";
import {
	type Duration,
	findPolicyProblems,
	type PolicyValues,
	toDuration,
	toPolicy,
	toPolicyValues,
	UNITS,
	type Unit,
} from "./policy-form";
import { SignUpFieldsForm } from "./SignUpFieldsForm";

export function PolicyTab() {
	const { policyQuery, serviceInfoQuery, signUpFieldsQuery } = useApi();
	const tenant = useTenant();
	const policyResult = useQuery(policyQuery(tenant.id));
	const infoResult = useQuery(serviceInfoQuery);
	const fieldsResult = useQuery(signUpFieldsQuery(tenant.id));
	const { data: policy } = policyResult;
	const { data: info } = infoResult;
	const { data: asked } = fieldsResult;
	const failed = [policyResult, infoResult, fieldsResult].find(({ data, error }) => error && !data);
	return (
		<div className="stack">
			<TenantPageHeader title="Policy" />
			{failed?.error && <ErrorState error={failed.error} onRetry={failed.refetch} />}
			{!failed && !(policy && info && asked) && (
				<div aria-busy="true">
					<Skeleton kind="block" />
				</div>
			)}
			{policy && info && asked && (
				<>
					<PolicyForm key={JSON.stringify(policy)} policy={policy} limits={info.policy} />
					<SignUpFieldsForm key={JSON.stringify(asked)} fields={asked.fields} />
				</>
			)}
		</div>
	);
}

type PolicyFormProps = { policy: Policy; limits: PolicyLimits };

type SectionProps = {
	values: PolicyValues;
	set: (changes: Partial<PolicyValues>) => void;
	problems: ReturnType<typeof findPolicyProblems>;
	limits: PolicyLimits;
};

function PolicyForm({ policy, limits }: PolicyFormProps) {
	const tenant = useTenant();
	const { policyQuery, updatePolicy } = useApi();
	const mayUpdate = useMayInTenant()("policy:update");
	const stored = toPolicyValues(policy);
	const [values, setValues] = useState(stored);
	const problems = findPolicyProblems(values);
	const save = useApiMutation({
		mutationFn: () => updatePolicy(tenant.id, toPolicy(values)),
		successMessage: "Policy saved.",
		invalidate: [policyQuery(tenant.id).queryKey],
	});
	const isChanged = JSON.stringify(toPolicy(values)) !== JSON.stringify(policy);
	const isReady = isChanged && Object.keys(problems).length === 0;
	useUnsavedChanges(isChanged && !save.isPending);
	const section: SectionProps = {
		values,
		set: (changes) => setValues((current) => ({ ...current, ...changes })),
		problems,
		limits,
	};
	return (
		<Form readOnly={!mayUpdate} onSubmit={() => isReady && !save.isPending && save.mutate()}>
			<div className="columns">
				<SignUpSection {...section} />
				<SignInSection {...section} />
				<PasswordSection {...section} />
				<SessionSection {...section} />
				<SecondFactorSection {...section} />
			</div>
			{mayUpdate && (
				<SaveBar
					action="Save policy"
					save={save}
					isChanged={isChanged}
					isReady={isReady}
					onDiscard={() => setValues(stored)}
				/>
			)}
		</Form>
	);
}

type OwnersCardProps = { title: string; hint?: string; children: ReactNode };

/** A card with rules that decide how owners get in. Admins only see them. */
function OwnersCard({ title, hint, children }: OwnersCardProps) {
	const isOwner = useIsOwner();
	const hints = [hint, !isOwner && "Only an owner can change this."].filter(Boolean);
	const card = (
		<Card title={title} hint={hints.join(" ")}>
			{children}
		</Card>
	);
	return isOwner ? card : <fieldset disabled>{card}</fieldset>;
}

const MODES = [
	{ value: "open", label: "Everybody" },
	{ value: "invite", label: "Only with an invitation" },
	{ value: "closed", label: "Nobody" },
];

function SignUpSection({ values, set }: SectionProps) {
	return (
		<Card title="Sign-up" hint="Users who exist already can always stay.">
			<Select
				label="Who may sign up"
				options={MODES}
				value={values.mode}
				onValueChange={(mode) => set({ mode: mode as PolicyValues["mode"] })}
				hint={
					values.mode === "closed" ? "You create the users, here or through the API." : undefined
				}
			/>
			<TextField
				label="Email domains"
				hint="New users need an email of one of these domains. Separate domains with spaces. Empty: any domain."
				placeholder="example.com"
				value={values.emailDomains}
				onValueChange={(emailDomains) => set({ emailDomains })}
				autoComplete="off"
				spellCheck={false}
			/>
		</Card>
	);
}

const METHODS: Record<string, string> = {
	password: "Email and password",
	social: "Social providers",
	"magic-link": "Magic link",
	"email-otp": "Code by email",
	"phone-number": "Phone number",
	passkey: "Passkey",
	sso: "Single sign-on (SAML or OpenID Connect)",
	siwe: "Ethereum wallet",
	anonymous: "Anonymous",
};

function SignInSection({ values, set, problems, limits }: SectionProps) {
	const tenant = useTenant();
	const { effectiveProvidersQuery } = useApi();
	const isListed = useMayInTenant()("oauth-config:effective");
	const { data: providers } = useQuery({
		...effectiveProvidersQuery(tenant.id),
		enabled: isListed,
	});
	const setUp = providers?.filter(({ source }) => source !== "none") ?? [];
	const providerIds = [
		...new Set([...setUp.map(({ providerId }) => providerId), ...(values.providers ?? [])]),
	];
	const missing = Object.keys(METHODS).filter((method) => !limits.methods.includes(method));
	return (
		<OwnersCard title="Sign-in">
			<Choices
				legend="Methods"
				all="All methods of the service"
				names={Object.fromEntries(limits.methods.map((id) => [id, METHODS[id] ?? id]))}
				chosen={values.methods}
				onChange={(methods) => set({ methods })}
				error={problems.methods}
			/>
			{missing.length > 0 && (
				<p className="field-hint">
					Not available in this service: {missing.map((id) => METHODS[id]).join(", ")}.
				</p>
			)}
			<Choices
				legend="Social providers"
				all="All providers that are set up"
				names={Object.fromEntries(providerIds.map((id) => [id, providerOf(id).name]))}
				chosen={values.providers}
				onChange={(chosen) => set({ providers: chosen })}
			/>
			<Switch
				label="Users may use the service's own providers where the tenant has none"
				checked={values.fallbackToGlobal}
				onCheckedChange={(fallbackToGlobal) => set({ fallbackToGlobal })}
			/>
		</OwnersCard>
	);
}

function PasswordSection({ values, set, problems, limits }: SectionProps) {
	return (
		<Card title="Passwords" hint="For new passwords. Old ones keep working.">
			<TextField
				label="Shortest password"
				inputMode="numeric"
				hint={`Empty: the service's rule, ${formatCount(limits.minPasswordLength)} characters. That holds in any case. The longest is ${formatCount(limits.maxPasswordLength)}.`}
				placeholder={String(limits.minPasswordLength)}
				value={values.minLength}
				onValueChange={(minLength) => set({ minLength })}
				error={problems.minLength}
				autoComplete="off"
			/>
			<Switch
				label="Reject passwords from known breaches"
				checked={values.rejectBreached}
				onCheckedChange={(rejectBreached) => set({ rejectBreached })}
			/>
			{values.rejectBreached && (
				<p className="field-hint">
					Asks Have I Been Pwned with the first five digits of a hash. If it does not respond, the
					new password is refused.
				</p>
			)}
		</Card>
	);
}

function SessionSection({ values, set, problems, limits }: SectionProps) {
	const { amount, unit } = toDuration(limits.sessionLifetime);
	return (
		<OwnersCard title="Sessions" hint="Also for sessions that exist already.">
			<DurationField
				label="Ends after"
				hint={`Counted from the sign-in. Empty: the service's rule, ${amount} ${unit} without use.`}
				value={values.lifetime}
				onValueChange={(lifetime) => set({ lifetime })}
				error={problems.lifetime}
			/>
			<DurationField
				label="Ends without use after"
				hint="Empty: no rule of the tenant."
				value={values.idleTime}
				onValueChange={(idleTime) => set({ idleTime })}
				error={problems.idleTime}
			/>
		</OwnersCard>
	);
}

function SecondFactorSection({ values, set, limits }: SectionProps) {
	const isPossible = limits.secondFactor || values.secondFactor;
	return (
		<OwnersCard title="Second factor">
			{isPossible ? (
				<>
					<Switch
						label="Users need a second factor"
						checked={values.secondFactor}
						onCheckedChange={(secondFactor) => set({ secondFactor })}
					/>
					<p className="field-hint">
						Users who have none can only set one up after they sign in. It is asked after a
						password, not after a provider, a magic link or a passkey.
					</p>
				</>
			) : (
				<p className="muted">Not available in this service.</p>
			)}
		</OwnersCard>
	);
}

type ChoicesProps = {
	legend: string;
	/** The choice that means no rule. */
	all: string;
	names: Record<string, string>;
	/** `null` for no rule. */
	chosen: string[] | null;
	onChange: (chosen: string[] | null) => void;
	error?: ReactNode;
};

function Choices({ legend, all, names, chosen, onChange, error }: ChoicesProps) {
	const toggle = (id: string, isChosen: boolean) =>
		onChange(isChosen ? [...(chosen ?? []), id] : (chosen ?? []).filter((other) => other !== id));
	return (
		<fieldset className="choices">
			<legend>{legend}</legend>
			<Checkbox
				label={all}
				checked={chosen === null}
				onCheckedChange={(isAll) => onChange(isAll ? null : Object.keys(names))}
			/>
			{chosen !== null &&
				Object.entries(names).map(([id, name]) => (
					<div key={id} className="choice">
						<Checkbox
							label={name}
							checked={chosen.includes(id)}
							onCheckedChange={(isChosen) => toggle(id, isChosen)}
						/>
					</div>
				))}
			{error && (
				<p className="field-error" role="alert">
					{error}
				</p>
			)}
		</fieldset>
	);
}

type DurationFieldProps = {
	label: string;
	hint: string;
	value: Duration;
	onValueChange: (value: Duration) => void;
	error?: ReactNode;
};

function DurationField({ label, hint, value, onValueChange, error }: DurationFieldProps) {
	return (
		<Field label={label} hint={hint} error={error}>
			{(control) => (
				<div className="duration">
					<input
						{...control}
						className="control"
						inputMode="numeric"
						autoComplete="off"
						value={value.amount}
						onChange={({ target }) => onValueChange({ ...value, amount: target.value })}
					/>
					<select
						className="control control-select"
						aria-label={`Unit of “${label}”`}
						value={value.unit}
						onChange={({ target }) => onValueChange({ ...value, unit: target.value as Unit })}
					>
						{Object.keys(UNITS).map((unit) => (
							<option key={unit} value={unit}>
								{unit}
							</option>
						))}
					</select>
				</div>
			)}
		</Field>
	);
}
