import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { CodeArea, Form, Select, TextField } from "../../ui/fields";
import { useApi } from "../api/context";
import { type SamlIdentityProvider, samlKey } from "../api/saml";
import { useTenant } from "../current-tenant/tenant-context";
import { whyNotSent } from "../save-reasons";
import { useUnsavedChanges } from "../unsaved-changes";
import { findSamlProblems, type SamlValues, toSamlInput, toSamlValues } from "./saml-form";

const SOURCES = [
	{ value: "url", label: "Metadata URL" },
	{ value: "metadata", label: "Metadata (XML)" },
	{ value: "fields", label: "URL, entity ID and certificate" },
];

const ROWS = 8;

type IdentityProviderFormProps = {
	/** What is saved already. */
	stored: SamlIdentityProvider | null;
	/** Closes the dialog with the form, if it is in one. */
	onClose?: () => void;
};

/** Connects an identity provider, or replaces the one that is connected. */
export function IdentityProviderForm({ stored, onClose }: IdentityProviderFormProps) {
	const tenant = useTenant();
	const { setSaml } = useApi();
	const [values, setValues] = useState(() => toSamlValues(stored));
	const set = (changes: Partial<SamlValues>) =>
		setValues((current) => ({ ...current, ...changes }));
	const problems = findSamlProblems(values);
	const hasProblem = Object.values(problems).some(Boolean);
	const save = useApiMutation({
		mutationFn: () => setSaml(tenant.id, toSamlInput(values, stored)),
		successMessage: "The identity provider was saved.",
		invalidate: [samlKey(tenant.id)],
		...(onClose ? { onSuccess: onClose } : {}),
	});
	const [initial] = useState(values);
	const isChanged = JSON.stringify(values) !== JSON.stringify(initial);
	useUnsavedChanges(isChanged && !save.isPending);
	return (
		<Form autoComplete="off" onSubmit={() => !hasProblem && !save.isPending && save.mutate()}>
			<Select
				label="What you have"
				options={SOURCES}
				value={values.source}
				onValueChange={(source) => set({ source: source as SamlValues["source"] })}
			/>
			<Source stored={stored} values={values} set={set} problems={problems} />
			<details className="more">
				<summary>Attributes</summary>
				<div className="stack">
					<TextField
						label="Attribute with the email"
						hint="Optional. If an assertion does not have it, the name ID is the email."
						placeholder="email"
						value={values.emailAttribute}
						onValueChange={(emailAttribute) => set({ emailAttribute })}
						{...ATTRIBUTE}
					/>
					<TextField
						label="Attribute with the name"
						hint="Optional. Used if an assertion does not have givenName and surname."
						placeholder="displayName"
						value={values.nameAttribute}
						onValueChange={(nameAttribute) => set({ nameAttribute })}
						{...ATTRIBUTE}
					/>
				</div>
			</details>
			<details className="more" open={initial.roles !== ""}>
				<summary>Roles</summary>
				<div className="stack">
					<TextField
						label="Attribute with the groups"
						hint="Optional. Then the groups of a person decide the role, at each sign-in."
						placeholder="groups"
						value={values.groupAttribute}
						onValueChange={(groupAttribute) => set({ groupAttribute })}
						{...ATTRIBUTE}
					/>
					<CodeArea
						label="Role of each group"
						hint="One group per line. The first line that fits is used. Everybody else is a member."
						placeholder="App Admins = admin"
						rows={4}
						value={values.roles}
						onValueChange={(roles) => set({ roles })}
						error={problems.roles}
					/>
				</div>
			</details>
			<footer className={onClose ? "dialog-foot" : "row"}>
				{save.error && <Notice kind="danger">{save.error.message}</Notice>}
				{onClose && <Button onClick={onClose}>Cancel</Button>}
				<Button
					kind="primary"
					type="submit"
					busy={save.isPending}
					unavailable={whyNotSent(!hasProblem)}
				>
					Save identity provider
				</Button>
			</footer>
		</Form>
	);
}

const CODE = { autoCapitalize: "none", autoComplete: "off", spellCheck: false } as const;
const ATTRIBUTE = { ...CODE, maxLength: 255 };

type SourceProps = {
	stored: SamlIdentityProvider | null;
	values: SamlValues;
	set: (changes: Partial<SamlValues>) => void;
	problems: ReturnType<typeof findSamlProblems>;
};

/** What the identity provider shows: a URL, XML, or single values. */
function Source({ stored, values, set, problems }: SourceProps) {
	if (values.source === "fields") {
		return <SingleFields values={values} set={set} certificateProblem={problems.certificate} />;
	}
	if (values.source === "url") {
		return (
			<TextField
				label="Metadata URL of the identity provider"
				hint="The service loads it now, and once a day. So new certificates arrive by themselves."
				type="url"
				placeholder="https://"
				value={values.metadataUrl}
				onValueChange={(metadataUrl) => set({ metadataUrl })}
				maxLength={2048}
				{...CODE}
				required
			/>
		);
	}
	return (
		<CodeArea
			label="Metadata of the identity provider"
			hint={
				stored?.metadataUrl === null
					? "Leave it empty to keep what is saved, with its certificates."
					: "Open the file that the identity provider shows, and paste all of it."
			}
			placeholder="<EntityDescriptor …"
			rows={ROWS}
			value={values.metadata}
			onValueChange={(metadata) => set({ metadata })}
			error={problems.metadata}
			required={stored?.metadataUrl !== null}
		/>
	);
}

type SingleFieldsProps = {
	values: SamlValues;
	set: (changes: Partial<SamlValues>) => void;
	certificateProblem: string | undefined;
};

function SingleFields({ values, set, certificateProblem }: SingleFieldsProps) {
	return (
		<>
			<TextField
				label="Sign-in URL"
				hint="Where users are sent. Also called entry point, SSO URL or login URL."
				type="url"
				placeholder="https://"
				value={values.signInUrl}
				onValueChange={(signInUrl) => set({ signInUrl })}
				{...CODE}
				required
			/>
			<TextField
				label="Entity ID of the identity provider"
				hint="Also called issuer."
				value={values.entityId}
				onValueChange={(entityId) => set({ entityId })}
				{...CODE}
				required
				// Not only spaces.
				pattern=".*\S.*"
			/>
			<CodeArea
				label="Certificate"
				hint="The one that signs, as PEM. If the identity provider is about to replace it, paste both."
				placeholder="-----BEGIN CERTIFICATE-----"
				rows={ROWS}
				value={values.certificate}
				onValueChange={(certificate) => set({ certificate })}
				error={certificateProblem}
				required
			/>
		</>
	);
}
