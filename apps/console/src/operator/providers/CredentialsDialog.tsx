import {
	acceptsSeveralClientIds,
	isClientSecretOptional,
	type ProviderSetting,
	settingsOfProvider,
} from "better-auth-tenant/providers";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Dialog } from "../../ui/Dialog";
import { Notice } from "../../ui/feedback";
import { Form, PasswordField, Select, TextField } from "../../ui/fields";
import { Switch } from "../../ui/Switch";
import { useApi } from "../api/context";
import { type EffectiveProvider, type OAuthConfig, providersKey } from "../api/providers";
import type { Tenant } from "../api/tenants";
import type { OpenIdProduct } from "./guides/openid-guides";
import { nameOf } from "./provider-details";
import { fromSettingValues, hintOf, isCommonSetting, toSettingValues } from "./provider-settings";
import { SetupGuide } from "./SetupGuide";

type CredentialsProps = {
	tenant: Tenant;
	provider: EffectiveProvider;
	config: OAuthConfig | undefined;
	onClose: () => void;
	/** Of a new OpenID Connect provider. */
	product?: OpenIdProduct;
	/** Called after the credentials are saved and can be tested. */
	onSaved: (providerId: string) => void;
};

export function CredentialsDialog({ open, ...props }: CredentialsProps & { open: boolean }) {
	const { provider, onClose } = props;
	const name = nameOf(provider);
	const isNew = provider.config === "absent";
	return (
		<Dialog
			title={isNew ? `Set up ${name}` : `Replace the credentials for ${name}`}
			open={open}
			onClose={onClose}
			wide
		>
			<CredentialsForm {...props} />
		</Dialog>
	);
}

export function CredentialsForm(props: CredentialsProps) {
	const { tenant, provider, config, onClose } = props;
	const { providerId } = provider;
	const settings = settingsOfProvider(providerId);
	const { values, set, setSetting, save } = useCredentials(props);
	const options = fromSettingValues(providerId, values.settings);
	const settingInput = (setting: ProviderSetting) => (
		<SettingInput
			key={setting.name}
			setting={setting}
			value={values.settings[setting.name] ?? ""}
			onValueChange={(value) => setSetting(setting.name, value)}
		/>
	);
	return (
		<Form autoComplete="off" onSubmit={() => !save.isPending && save.mutate()}>
			<SetupGuide
				key={providerId}
				tenant={tenant}
				provider={provider}
				issuer={values.settings.issuer}
				product={props.product}
				open={!config}
			/>
			{save.error && <Notice kind="danger">{save.error.message}</Notice>}
			<TextField
				label="Client ID"
				hint={
					acceptsSeveralClientIds(providerId)
						? "Add the client IDs of your native apps with spaces. The first one is used in the browser."
						: undefined
				}
				value={values.clientId}
				onValueChange={(clientId) => set({ clientId })}
				autoComplete="off"
				spellCheck={false}
				required
			/>
			<PasswordField
				label="Client secret"
				hint={
					config
						? "The stored secret cannot be shown. Leave this empty to keep it."
						: "Stored encrypted. You cannot see it again."
				}
				value={values.clientSecret}
				onValueChange={(clientSecret) => set({ clientSecret })}
				autoComplete="off"
				required={!config && !isClientSecretOptional(providerId, options)}
			/>
			{settings.filter(isCommonSetting).map(settingInput)}
			<details className="more">
				<summary>More settings</summary>
				<div className="stack">
					{settings.filter((setting) => !isCommonSetting(setting)).map(settingInput)}
					<TextField
						label="Additional scopes"
						hint="Added to the default scopes. Separate scopes with spaces."
						value={values.scopes}
						onValueChange={(scopes) => set({ scopes })}
						autoComplete="off"
						spellCheck={false}
					/>
					<TextField
						label="Trusted email domains"
						hint="Only for an identity provider that the tenant controls: a sign-in joins the existing user with an email of these domains. Separate domains with spaces."
						value={values.trustEmails}
						onValueChange={(trustEmails) => set({ trustEmails })}
						autoComplete="off"
						spellCheck={false}
					/>
					<TextField
						label="Redirect URI"
						hint="Only if the callback goes through your own proxy. Leave empty to use the callback URL."
						type="url"
						value={values.redirectURI}
						onValueChange={(redirectURI) => set({ redirectURI })}
						autoComplete="off"
					/>
				</div>
			</details>
			<Switch
				label="Use for sign-in"
				checked={values.enabled}
				onCheckedChange={(enabled) => set({ enabled })}
			/>
			<footer className="dialog-foot">
				<Button onClick={onClose}>Cancel</Button>
				<Button kind="primary" type="submit" busy={save.isPending}>
					Save credentials
				</Button>
			</footer>
		</Form>
	);
}

/** The form starts with every stored value but the secret, which stays if no other one is entered. */
function useCredentials({ tenant, provider, config, onClose, onSaved }: CredentialsProps) {
	const { providerId } = provider;
	const { registerOAuthConfig, updateOAuthConfig } = useApi();
	const [values, setValues] = useState({
		clientId: config?.clientIds.join(" ") ?? "",
		clientSecret: "",
		scopes: config?.scopes.join(" ") ?? "",
		trustEmails: config?.trustEmails.join(" ") ?? "",
		redirectURI: config?.redirectURI ?? "",
		settings: toSettingValues(config?.options ?? null),
		enabled: config?.enabled ?? true,
	});
	const set = (changes: Partial<typeof values>) =>
		setValues((current) => ({ ...current, ...changes }));
	const setSetting = (name: string, value: string) =>
		set({ settings: { ...values.settings, [name]: value } });
	const save = useApiMutation({
		mutationFn: () => {
			const redirectURI = values.redirectURI.trim();
			const hasSettings = settingsOfProvider(providerId).length > 0;
			const clientSecret = values.clientSecret.trim();
			const trustEmails = values.trustEmails.split(/[\s,]+/).filter(Boolean);
			// A tenant's own people may name domains that the tenant has verified. Not even an empty list
			// is theirs to send.
			const isTrustChanged = trustEmails.join(" ") !== (config?.trustEmails ?? []).join(" ");
			// Replaces the whole config.
			const isNewClient = !config || clientSecret !== "";
			const input = {
				clientId: values.clientId.trim().split(/\s+/),
				scopes: values.scopes.split(/[\s,]+/).filter(Boolean),
				...(isTrustChanged || (isNewClient && trustEmails.length > 0) ? { trustEmails } : {}),
				...(hasSettings ? { options: fromSettingValues(providerId, values.settings) } : {}),
				enabled: values.enabled,
			};
			if (!isNewClient) {
				return updateOAuthConfig(tenant.id, providerId, {
					...input,
					redirectURI: redirectURI || null,
				});
			}
			return registerOAuthConfig(tenant.id, providerId, {
				...input,
				clientSecret,
				...(redirectURI ? { redirectURI } : {}),
			});
		},
		successMessage: `The credentials for ${values.settings.name || nameOf(provider)} were saved.`,
		invalidate: [providersKey(tenant.id)],
		onSuccess: () => {
			onClose();
			if (values.enabled) onSaved(providerId);
		},
	});
	return { values, set, setSetting, save };
}

type SettingInputProps = {
	setting: ProviderSetting;
	value: string;
	onValueChange: (value: string) => void;
};

function SettingInput({ setting, value, onValueChange }: SettingInputProps) {
	const { label, kind, choices, required = false } = setting;
	if (kind === "flag") {
		return (
			<Switch
				label={label}
				checked={value === "true"}
				onCheckedChange={(checked) => onValueChange(checked ? "true" : "")}
			/>
		);
	}
	if (choices) {
		return (
			<Select
				label={label}
				hint={hintOf(setting)}
				options={[
					{ value: "", label: "Default" },
					...choices.map((choice) => ({ value: String(choice), label: String(choice) })),
				]}
				value={value}
				onValueChange={onValueChange}
			/>
		);
	}
	return (
		<TextField
			label={label}
			hint={hintOf(setting)}
			inputMode={kind === "number" ? "numeric" : "text"}
			value={value}
			onValueChange={onValueChange}
			autoComplete="off"
			spellCheck={false}
			required={required}
		/>
	);
}
