import { useQuery } from "@tanstack/react-query";
import { CodeArea, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { Checkbox, Switch } from "../../ui/Switch";
import { useApi } from "../api/context";
import {
	type ApplicationValues,
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
	const { hasUsers } = TYPES[values.type];
	return (
		<>
			<div className="stack">
				<AppearanceFields values={values} set={set} />
				{hasUsers && <AddressFields values={values} set={set} />}
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
				required
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
