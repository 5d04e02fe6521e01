import { useState } from "react";
import { providerOf } from "../../providers";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/Notice";
import { PasswordField } from "../../ui/PasswordField";
import { Switch } from "../../ui/Switch";
import { TextField } from "../../ui/TextField";
import { registerConfig } from "../api/providers";
import { useChange } from "../change";
import { Facts } from "../lists/Facts";
import { useTenantAddresses } from "../tenant/tenant-addresses";
import type { CredentialsDialogProps } from "./CredentialsDialog";
import { callbackFacts } from "./callback-facts";
import { OptionInput } from "./OptionInput";
import {
	fromTexts,
	isSecretOptional,
	isUsual,
	type OptionField,
	optionFieldsOf,
	toTexts,
} from "./provider-options";
import { configsKey, providersKey } from "./providers-key";

/** Everything is put in place of what is stored, so everything stands in the form: but the secret. */
export function CredentialsForm(props: Omit<CredentialsDialogProps, "open">) {
	const { tenant, provider, config, onClose } = props;
	const { providerId } = provider;
	const [clientId, setClientId] = useState(config?.clientId ?? "");
	const [clientSecret, setClientSecret] = useState("");
	const [scopes, setScopes] = useState(config?.scopes.join(" ") ?? "");
	const [redirectURI, setRedirectURI] = useState(config?.redirectURI ?? "");
	const [options, setOptions] = useState(toTexts(config?.options ?? null));
	const [enabled, setEnabled] = useState(config?.enabled ?? true);
	const fields = optionFieldsOf(providerId);
	const addresses = useTenantAddresses(tenant.slug);
	const needsSecret = !isSecretOptional(providerId);

	const save = useChange({
		change: () =>
			registerConfig(tenant.id, {
				providerId,
				clientId: clientId.trim(),
				clientSecret: clientSecret.trim(),
				scopes: scopes.split(/[\s,]+/).filter(Boolean),
				...(redirectURI.trim() ? { redirectURI: redirectURI.trim() } : {}),
				...(fields.length > 0 ? { options: fromTexts(providerId, options) } : {}),
				enabled,
			}),
		said: `The credentials for ${providerOf(providerId).name} are stored.`,
		refresh: [providersKey(tenant.id), configsKey(tenant.id)],
		after: onClose,
	});

	const optionInput = (field: OptionField) => (
		<OptionInput
			key={field.name}
			field={field}
			value={options[field.name] ?? ""}
			onChange={(value) => setOptions((current) => ({ ...current, [field.name]: value }))}
		/>
	);

	return (
		<form
			className="stack"
			autoComplete="off"
			onSubmit={(event) => {
				event.preventDefault();
				if (!save.isPending) save.mutate();
			}}
		>
			{!config && addresses && (
				<section className="stack stack-tight">
					<p className="small muted">To be registered at {providerOf(providerId).name}:</p>
					<Facts facts={callbackFacts(provider, addresses)} />
				</section>
			)}
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<TextField
				label="Client ID"
				value={clientId}
				onChange={(event) => setClientId(event.target.value)}
				autoComplete="off"
				spellCheck={false}
				required
			/>
			<PasswordField
				label="Client secret"
				hint={
					config
						? "The stored one cannot be shown: enter it again, or the new one."
						: "Stored encrypted, and never shown again."
				}
				value={clientSecret}
				onChange={(event) => setClientSecret(event.target.value)}
				autoComplete="off"
				required={needsSecret}
			/>
			{fields.filter(isUsual).map(optionInput)}
			<details className="more">
				<summary>More settings</summary>
				<div className="stack">
					{fields.filter((field) => !isUsual(field)).map(optionInput)}
					<TextField
						label="Further scopes"
						hint="Beside the provider's own, separated by spaces."
						value={scopes}
						onChange={(event) => setScopes(event.target.value)}
						autoComplete="off"
						spellCheck={false}
					/>
					<TextField
						label="Redirect URI"
						hint="Only where a proxy of yours stands in between; empty for the callback URL."
						type="url"
						value={redirectURI}
						onChange={(event) => setRedirectURI(event.target.value)}
						autoComplete="off"
					/>
				</div>
			</details>
			<Switch label="Use it for sign-in" checked={enabled} onChange={setEnabled} />
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={save.isPending}>
					Store credentials
				</Button>
			</footer>
		</form>
	);
}
