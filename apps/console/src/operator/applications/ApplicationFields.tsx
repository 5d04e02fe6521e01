import { useQuery } from "@tanstack/react-query";
import { CodeArea, Select, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { Checkbox, Switch } from "../../ui/Switch";
import { useApi } from "../api/context";
import {
	type ApplicationValues,
	type Authentication,
	canUseDeviceFlow,
	findApplicationProblems,
	shownOfflineAccess,
	shownOrigins,
} from "./application-form";
import { useApplicationOwner } from "./application-owner";
import { possibleScopes, SCOPE_HINTS, TYPES } from "./application-types";

type FieldsProps = {
	values: ApplicationValues;
	set: (changes: Partial<ApplicationValues>) => void;
};

/** The fields that an application of this type has. */
export function ApplicationFields({ values, set }: FieldsProps) {
	const { hasUsers, hasSecret } = TYPES[values.type];
	return (
		<>
			<div className="stack">
				<AppearanceFields values={values} set={set} />
				{hasUsers && <AddressFields values={values} set={set} />}
				{hasUsers && <LogoutFields values={values} set={set} />}
				{hasSecret && <AuthenticationFields values={values} set={set} />}
			</div>
			<div className="stack">
				<ScopeFields values={values} set={set} />
				{hasUsers && <ConsentFields values={values} set={set} />}
				<TokenFields values={values} set={set} />
			</div>
		</>
	);
}

function AppearanceFields({ values, set }: FieldsProps) {
	const { hasUsers } = TYPES[values.type];
	return (
		<Card title="General">
			<TextField
				label="Name"
				hint={hasUsers ? "Users see it when the app asks for consent." : "The audit log has it."}
				value={values.name}
				onValueChange={(name) => set({ name })}
				maxLength={200}
				autoComplete="off"
				required
			/>
			{hasUsers && (
				<TextField
					label="Logo URL"
					type="url"
					placeholder="https://"
					hint="Optional. Users see it next to the name."
					value={values.logoUrl}
					onValueChange={(logoUrl) => set({ logoUrl })}
					error={findApplicationProblems(values).logoUrl}
					autoComplete="off"
				/>
			)}
		</Card>
	);
}

const ROWS = { min: 2, max: 8 };
const rowsFor = (text: string) =>
	Math.min(ROWS.max, Math.max(ROWS.min, text.split("\n").length + 1));

const EXAMPLE_URI = { web: "http://localhost:4000/callback", native: "com.example.app:/callback" };

function AddressFields({ values, set }: FieldsProps) {
	const { tenantId } = useApplicationOwner();
	const problems = findApplicationProblems(values);
	const origins = shownOrigins(values);
	return (
		<Card
			title="URLs"
			hint={
				tenantId === null
					? "One per line. They are compared exactly, after {tenant} is replaced by the slug of the tenant."
					: "One per line. They are compared exactly."
			}
		>
			<CodeArea
				label="Redirect URIs"
				hint="Where users return to the app after they signed in."
				placeholder={EXAMPLE_URI[values.type === "native" ? "native" : "web"]}
				rows={rowsFor(values.redirectUris)}
				value={values.redirectUris}
				onValueChange={(redirectUris) => set({ redirectUris })}
				error={problems.redirectUris}
				required={!values.deviceFlow}
			/>
			<CodeArea
				label="Redirect URIs after sign-out"
				hint="Optional. Where users return after they signed out."
				rows={rowsFor(values.postLogoutRedirectUris)}
				value={values.postLogoutRedirectUris}
				onValueChange={(postLogoutRedirectUris) => set({ postLogoutRedirectUris })}
				error={problems.postLogoutRedirectUris}
			/>
			{(values.type === "spa" || origins !== "") && (
				<CodeArea
					label="Allowed origins"
					hint="The sites whose pages may ask for tokens. Without it, the browser blocks the app."
					placeholder="https://app.example.com"
					rows={rowsFor(origins)}
					value={origins}
					onValueChange={(allowedOrigins) => set({ allowedOrigins })}
					error={problems.allowedOrigins}
				/>
			)}
		</Card>
	);
}

function LogoutFields({ values, set }: FieldsProps) {
	return (
		<Card title="Sign-out">
			<TextField
				label="Back-channel logout URI"
				type="url"
				placeholder="https://"
				hint="Optional. The service tells the app here when a session has ended, from server to server."
				value={values.backchannelLogoutUri}
				onValueChange={(backchannelLogoutUri) => set({ backchannelLogoutUri })}
				error={findApplicationProblems(values).backchannelLogoutUri}
				autoComplete="off"
			/>
			{values.backchannelLogoutUri !== "" && (
				<>
					<Switch
						label="Say which session has ended"
						checked={values.backchannelLogoutSessionRequired}
						onCheckedChange={(backchannelLogoutSessionRequired) =>
							set({ backchannelLogoutSessionRequired })
						}
					/>
					<p className="field-hint">
						Turn it off if the app does not store the claim sid. Then it signs the user out on all
						devices.
					</p>
				</>
			)}
		</Card>
	);
}

const AUTHENTICATIONS: { value: Authentication; label: string }[] = [
	{ value: "secret", label: "A secret" },
	{ value: "keys", label: "Public keys" },
	{ value: "published-keys", label: "Public keys at a URL" },
];

function AuthenticationFields({ values, set }: FieldsProps) {
	const problems = findApplicationProblems(values);
	return (
		<Card title="Authentication">
			<Select
				label="The app authenticates with"
				hint="With keys (private_key_jwt), the private key never leaves the app. Its secret stops working."
				options={AUTHENTICATIONS}
				value={values.authentication}
				onValueChange={(value) => set({ authentication: value as Authentication })}
			/>
			{values.authentication === "keys" && (
				<CodeArea
					label="Public keys"
					hint="A JSON Web Key Set (JWKS), without private keys."
					placeholder={'{ "keys": [{ "kty": "EC", … }] }'}
					rows={rowsFor(values.jwks)}
					value={values.jwks}
					onValueChange={(jwks) => set({ jwks })}
					error={problems.jwks}
					required
				/>
			)}
			{values.authentication === "published-keys" && (
				<TextField
					label="URL of the public keys"
					type="url"
					placeholder="https://"
					hint="A JSON Web Key Set (JWKS) that the app publishes. So it can rotate its keys."
					value={values.jwksUri}
					onValueChange={(jwksUri) => set({ jwksUri })}
					error={problems.jwksUri}
					autoComplete="off"
					required
				/>
			)}
		</Card>
	);
}

function ScopeFields({ values, set }: FieldsProps) {
	const { serviceInfoQuery } = useApi();
	const { data: info } = useQuery(serviceInfoQuery);
	const possible = possibleScopes(values.type, info?.apiScopes ?? []);
	const chosen = values.scopes ?? possible;
	const all = [...new Set([...possible, ...chosen])];
	const { scopes: problem } = findApplicationProblems(values);
	const toggle = (scope: string, isChosen: boolean) =>
		set({ scopes: isChosen ? [...chosen, scope] : chosen.filter((other) => other !== scope) });
	return (
		<Card title="Scopes" hint="What the application may ask for.">
			<fieldset className="choices">
				<legend className="visually-hidden">Scopes</legend>
				{all.map((scope) => (
					<Checkbox
						key={scope}
						label={SCOPE_HINTS[scope] ? `${scope}: ${SCOPE_HINTS[scope]}` : scope}
						checked={chosen.includes(scope)}
						onCheckedChange={(isChosen) => toggle(scope, isChosen)}
					/>
				))}
				{problem && (
					<p className="field-error" role="alert">
						{problem}
					</p>
				)}
			</fieldset>
			{info && (
				<p className="field-hint">
					The scopes of your APIs are the setting <code>API_SCOPES</code> of the service.
				</p>
			)}
		</Card>
	);
}

function ConsentFields({ values, set }: FieldsProps) {
	return (
		<Card title="Consent">
			<Switch
				label="This is your own app, so users are not asked for consent"
				checked={values.firstParty}
				onCheckedChange={(firstParty) => set({ firstParty })}
			/>
			<p className="field-hint">
				Leave it off for apps of other companies. Their users see what the app wants to read.
			</p>
			<Switch
				label="Keep access after the session of the user has expired"
				checked={shownOfflineAccess(values)}
				onCheckedChange={(offlineAccess) => set({ offlineAccess })}
			/>
			<p className="field-hint">
				For apps that work while the user is away, with the scope offline_access. A sign-out ends
				the access in any case.
			</p>
			{canUseDeviceFlow(values.type) && (
				<>
					<Switch
						label="Sign in on devices without a browser"
						checked={values.deviceFlow}
						onCheckedChange={(deviceFlow) => set({ deviceFlow })}
					/>
					<p className="field-hint">
						For televisions and command lines. They show a code, and the user types it on a page of
						the tenant and is always asked for consent.
					</p>
				</>
			)}
			{values.type === "web" && (
				<>
					<Switch
						label="Require PKCE"
						checked={values.requirePkce}
						onCheckedChange={(requirePkce) => set({ requirePkce })}
					/>
					<p className="field-hint">
						It protects a sign-in against a stolen code. Turn it off only for an old library that
						cannot do it.
					</p>
				</>
			)}
		</Card>
	);
}

function TokenFields({ values, set }: FieldsProps) {
	const { hasUsers } = TYPES[values.type];
	const { serviceInfoQuery } = useApi();
	const { data: info } = useQuery(serviceInfoQuery);
	return (
		<Card title="Tokens">
			{hasUsers && (
				<>
					<Switch
						label="Put the name and the email into the ID token"
						checked={values.claimsInIdToken}
						onCheckedChange={(claimsInIdToken) => set({ claimsInIdToken })}
					/>
					<p className="field-hint">
						If the app asks for the scopes profile and email. The user info has them in any case,
						but some programs read the ID token only.
					</p>
				</>
			)}
			{hasUsers && (
				<TextField
					label="Days until the user has to sign in again"
					type="number"
					min={1}
					max={3650}
					hint={
						<>
							Optional. Refresh tokens end after these days. The setting{" "}
							<code>OFFLINE_ACCESS_DAYS</code> of the service is the default and the limit.
						</>
					}
					value={values.refreshDays}
					onValueChange={(refreshDays) => set({ refreshDays })}
					autoComplete="off"
				/>
			)}
			<TextField
				label="Minutes that an access token is valid"
				type="number"
				min={1}
				max={1440}
				hint={
					<>
						Optional. The setting <code>ACCESS_TOKEN_MINUTES</code> of the service is the default
						and the limit.
					</>
				}
				value={values.accessTokenMinutes}
				onValueChange={(accessTokenMinutes) => set({ accessTokenMinutes })}
				autoComplete="off"
			/>
			{hasUsers && (
				<TextField
					label="Minutes that an ID token is valid"
					type="number"
					min={1}
					max={1440}
					hint={
						<>
							Optional. The setting <code>ID_TOKEN_MINUTES</code> of the service is the default and
							the limit.
						</>
					}
					value={values.idTokenMinutes}
					onValueChange={(idTokenMinutes) => set({ idTokenMinutes })}
					autoComplete="off"
				/>
			)}
			{(info?.dpop || values.dpop) && (
				<>
					<Switch
						label="Bind tokens to a key of the app (DPoP)"
						checked={values.dpop}
						onCheckedChange={(dpop) => set({ dpop })}
					/>
					<p className="field-hint">
						A stolen token is of no use without the key. The app and its APIs have to support DPoP.
					</p>
				</>
			)}
			<CodeArea
				label="Own claims"
				hint={
					<>
						Optional. One per line: its name, and where its value comes from. Paths start with{" "}
						{hasUsers && (
							<>
								<code>user.metadata</code>, <code>user.preferences</code> or{" "}
							</>
						)}
						<code>tenant.metadata</code>.
						{hasUsers && " Users can change their preferences themselves."}
					</>
				}
				placeholder={
					hasUsers ? "department = user.metadata.department" : "plan = tenant.metadata.plan"
				}
				rows={rowsFor(values.claims)}
				value={values.claims}
				onValueChange={(claims) => set({ claims })}
				error={findApplicationProblems(values).claims}
			/>
		</Card>
	);
}
