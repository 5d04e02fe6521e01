import { readFileSync } from "node:fs";
import type { Auth } from "../../auth";
import type {
	Application,
	ApplicationSettings,
	ApplicationType,
} from "../../openid-provider/applications/application";
import { requireConfirmation } from "../input";
import {
	count,
	describeError,
	listing,
	type OutputOptions,
	printNote,
	printResult,
	table,
	wrongUsage,
} from "../output";
import { requireTenant, withAuth } from "../with-auth";

type Options = OutputOptions & { tenant?: string };
type Confirmed = Options & { yes?: boolean };

type SettingOptions = Options & {
	name?: string;
	redirectUri?: string[];
	postLogoutRedirectUri?: string[];
	backchannelLogoutUri?: string | false;
	backchannelLogoutSessionRequired?: boolean;
	allowedOrigin?: string[];
	scope?: string[];
	firstParty?: boolean;
	offlineAccess?: boolean;
	refreshDays?: number;
	accessTokenMinutes?: number;
	idTokenMinutes?: number;
	deviceFlow?: boolean;
	dpop?: boolean;
	jwks?: string | false;
	jwksUri?: string;
	claimsInIdToken?: boolean;
	claim?: string[] | boolean;
};

/** The name may be a URL with `=` in it, the source has none. */
function readClaims(given: SettingOptions["claim"]): Record<string, string> | undefined {
	if (!Array.isArray(given)) return given === false ? {} : undefined;
	return Object.fromEntries(
		given.map((text) => {
			const at = text.lastIndexOf("=");
			if (at < 1) throw wrongUsage("--claim must be a name and a source with = between them");
			return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
		}),
	);
}

/** With `false`, it authenticates with neither keys nor a URI of keys. */
function readKeys({ jwks, jwksUri }: SettingOptions) {
	if (jwks === false) return { jwks: null, jwksUri: jwksUri ?? null };
	if (jwks === undefined) return { jwksUri };
	try {
		return { jwks: JSON.parse(readFileSync(jwks, "utf8")) as ApplicationSettings["jwks"], jwksUri };
	} catch (error) {
		throw wrongUsage(`--jwks must be a file with JSON: ${describeError(error).message}`);
	}
}

/** Only what was given. */
function settingsOf(options: SettingOptions) {
	const settings = {
		name: options.name,
		redirectUris: options.redirectUri,
		postLogoutRedirectUris: options.postLogoutRedirectUri,
		backchannelLogoutUri:
			options.backchannelLogoutUri === false ? null : options.backchannelLogoutUri,
		backchannelLogoutSessionRequired: options.backchannelLogoutSessionRequired,
		allowedOrigins: options.allowedOrigin,
		scopes: options.scope,
		firstParty: options.firstParty,
		offlineAccess: options.offlineAccess,
		refreshDays: options.refreshDays,
		accessTokenMinutes: options.accessTokenMinutes,
		idTokenMinutes: options.idTokenMinutes,
		deviceFlow: options.deviceFlow,
		dpop: options.dpop,
		claimsInIdToken: options.claimsInIdToken,
		claims: readClaims(options.claim),
		...readKeys(options),
	};
	return Object.fromEntries(
		Object.entries(settings).filter(([, value]) => value !== undefined),
	) as Partial<ApplicationSettings>;
}

export async function create(
	name: string,
	options: SettingOptions & { type: string },
): Promise<void> {
	await withApplications(options, async (applications) => {
		// The endpoint rejects any other.
		const type = options.type as ApplicationType;
		printWithSecret(options, await applications.create({ ...settingsOf(options), name, type }));
	});
}

export async function update(clientId: string, options: SettingOptions): Promise<void> {
	const changes = settingsOf(options);
	if (Object.keys(changes).length === 0) throw wrongUsage("Name what to change");
	await withApplications(options, async (applications) => {
		const changed = await applications.update({ ...changes, clientId });
		printResult(options, changed, () => listing(summarize(changed)));
	});
}

export async function list(options: Options): Promise<void> {
	await withApplications(options, async (applications) => {
		const all = await applications.list();
		printResult(options, all, () => {
			if (all.length === 0) return "There are no applications.";
			const rows = all.map((one) => [
				one.clientId,
				one.name,
				one.type,
				one.tenantId ?? "all",
				one.disabled ? "disabled" : "enabled",
			]);
			return table(["CLIENT ID", "NAME", "TYPE", "TENANT", "STATE"], rows);
		});
	});
}

export async function show(clientId: string, options: Options): Promise<void> {
	await withApplications(options, async (applications) => {
		const found = await applications.get(clientId);
		printResult(options, found, () => listing(summarize(found)));
	});
}

export const disable = (clientId: string, options: Options) => setDisabled(clientId, options, true);

export const enable = (clientId: string, options: Options) => setDisabled(clientId, options, false);

async function setDisabled(clientId: string, options: Options, disabled: boolean): Promise<void> {
	await withApplications(options, async (applications) => {
		const changed = await applications.update({ clientId, disabled });
		printResult(options, changed, () => listing(summarize(changed)));
	});
}

type RotateOptions = Confirmed & { overlapHours: number };

export async function rotateSecret(clientId: string, options: RotateOptions): Promise<void> {
	const { overlapHours } = options;
	await withApplications(options, async (applications) => {
		const { name } = await applications.get(clientId);
		const when = overlapHours === 0 ? "at once" : `in ${count(overlapHours, "hour")}`;
		await requireConfirmation(options, `The secret of ${name} stops ${when}.`, name);
		printWithSecret(options, await applications.rotateSecret(clientId, overlapHours));
	});
}

export async function remove(clientId: string, options: Confirmed): Promise<void> {
	await withApplications(options, async (applications) => {
		const { name } = await applications.get(clientId);
		const warning = `This deletes ${name} with its tokens and consents.`;
		await requireConfirmation(options, warning, name);
		await applications.remove(clientId);
		const deleted = { clientId, name };
		printResult(options, { deleted }, () => `Deleted ${name} (${clientId}).`);
	});
}

type Body<Name extends keyof Auth["api"]> = Auth["api"][Name] extends (input: {
	body: infer B;
}) => unknown
	? B
	: never;

/** The endpoints for the tenant that the options name, or else for service-wide applications. */
async function withApplications(
	{ tenant }: Options,
	work: (applications: ReturnType<typeof ofService>) => Promise<void>,
): Promise<void> {
	await withAuth(async (auth) => {
		if (!tenant) return work(ofService(auth));
		return work(ofTenant(auth, (await requireTenant(auth, tenant)).id));
	});
}

const ofService = ({ api }: Auth) => ({
	create: (body: Body<"createServiceApplication">) => api.createServiceApplication({ body }),
	list: () => api.listServiceApplications(),
	get: (clientId: string) => api.getServiceApplication({ query: { clientId } }),
	update: (body: Body<"updateServiceApplication">) => api.updateServiceApplication({ body }),
	rotateSecret: (clientId: string, overlapHours: number) =>
		api.rotateServiceApplicationSecret({ body: { clientId, overlapHours } }),
	remove: (clientId: string) => api.deleteServiceApplication({ body: { clientId } }),
});

const ofTenant = ({ api }: Auth, tenantId: string): ReturnType<typeof ofService> => ({
	create: (body) => api.createTenantApplication({ body: { ...body, tenantId } }),
	list: () => api.listTenantApplications({ query: { tenantId } }),
	get: (clientId) => api.getTenantApplication({ query: { clientId, tenantId } }),
	update: (body) => api.updateTenantApplication({ body: { ...body, tenantId } }),
	rotateSecret: (clientId, overlapHours) =>
		api.rotateTenantApplicationSecret({ body: { clientId, overlapHours, tenantId } }),
	remove: (clientId) => api.deleteTenantApplication({ body: { clientId, tenantId } }),
});

function printWithSecret(
	options: OutputOptions,
	application: Application & { clientSecret: string | null },
): void {
	const { clientSecret } = application;
	if (clientSecret) printNote(options, "This is the only time that the secret is shown.");
	printResult(options, application, () =>
		listing({
			...summarize(application),
			...(clientSecret ? { "client secret": clientSecret } : {}),
		}),
	);
}

function summarize(application: Application): Record<string, unknown> {
	const { clientId, tenantId, name, type, redirectUris, scopes, disabled } = application;
	const { claimsInIdToken, deviceFlow, dpop, backchannelLogoutUri, jwks, jwksUri } = application;
	const keyIds = jwks?.keys.map(({ kid }) => kid ?? "(without an id)");
	const claims = Object.entries(application.claims).map((claim) => claim.join("="));
	return {
		"client id": clientId,
		name,
		type,
		tenant: tenantId ?? "all",
		...(redirectUris.length > 0 ? { "redirect URIs": redirectUris.join(" ") } : {}),
		...(keyIds ? { keys: keyIds.join(" ") } : {}),
		...(jwksUri ? { "keys at": jwksUri } : {}),
		...(backchannelLogoutUri ? { "back-channel logout": backchannelLogoutUri } : {}),
		scopes: scopes.join(" "),
		...(type === "machine" ? {} : { "claims in ID tokens": claimsInIdToken ? "yes" : "no" }),
		...(deviceFlow ? { "device flow": "yes" } : {}),
		...(dpop ? { "bound tokens": "yes" } : {}),
		...(claims.length > 0 ? { "own claims": claims.join(" ") } : {}),
		state: disabled ? "disabled" : "enabled",
	};
}
