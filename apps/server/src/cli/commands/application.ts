import type { Command } from "commander";
import type { Auth } from "../../auth";
import type {
	Application,
	ApplicationSettings,
	ApplicationType,
} from "../../openid-provider/applications/application";
import { MAX_OVERLAP_HOURS } from "../../openid-provider/applications/client-secrets";
import { requireConfirmation } from "../input";
import {
	count,
	listing,
	type OutputOptions,
	printNote,
	printResult,
	table,
	wrongUsage,
} from "../output";
import { requireTenant, withAuth } from "../with-auth";

export function addApplication(program: Command): void {
	const application = program
		.command("application")
		.description("manage the applications of a tenant or, without --tenant, of all tenants");
	const add = (usage: string, description: string, json: string) =>
		application
			.command(usage)
			.description(description)
			.option("--tenant <tenant>", "the tenant, by slug or id (default: a service-wide one)")
			.option("--json", json);
	withSettings(
		add("create <name>", "register an application and print its secret", "print it as JSON").option(
			"--type <type>",
			"web, spa, native or machine",
			"web",
		),
	).action(create);
	withSettings(
		add("update <client-id>", "change an application; what is left out stays", "print it as JSON"),
	)
		.option("--name <name>", "what users see on the consent page")
		.option("--no-first-party", "ask users for consent")
		.option("--no-offline-access", "end its tokens with the session")
		.action(update);
	add("list", "list applications, oldest first", "print them as JSON").action(list);
	add("show <client-id>", "show an application", "print it as JSON").action(show);
	add(
		"disable <client-id>",
		"refuse an application with all its tokens",
		"print it as JSON",
	).action((clientId: string, options: Options) => setDisabled(clientId, options, true));
	add(
		"enable <client-id>",
		"accept an application and its tokens again",
		"print it as JSON",
	).action((clientId: string, options: Options) => setDisabled(clientId, options, false));
	add(
		"rotate-secret <client-id>",
		"print a new secret; the old one stops at once, or after the overlap",
		"print the application as JSON",
	)
		.option("--overlap-hours <hours>", "how long the old secret works too, up to 24", readHours, 0)
		.option("--yes", "do not ask for confirmation")
		.action(rotateSecret);
	add(
		"delete <client-id>",
		"delete an application with its tokens and consents",
		"print { deleted } as JSON",
	)
		.option("--yes", "do not ask for confirmation")
		.action(remove);
}

/** A list replaces the one before. */
const withSettings = (command: Command): Command =>
	command
		.option(
			"--redirect-uri <uri>",
			"where users return; repeat it for several. {tenant} stands for the slug in service-wide ones",
			collect,
		)
		.option("--post-logout-redirect-uri <uri>", "where users return after a sign-out", collect)
		.option("--allowed-origin <origin>", "an origin whose pages may call the endpoints", collect)
		.option("--scope <scope>", "what it may ask for (default: all that its type can use)", collect)
		.option("--first-party", "do not ask users for consent")
		.option("--offline-access", "let it refresh its tokens after the session has expired")
		.option("--refresh-days <days>", "how long after a sign-in it may refresh its tokens", readDays)
		.option("--claims-in-id-token", "put the claims of profile and email into ID tokens (default)")
		.option("--no-claims-in-id-token", "leave them to the user info")
		.option(
			"--claim <name=source>",
			"a claim of its own, such as department=user.metadata.department; repeat it for several",
			collect,
		)
		.option("--no-claim", "no claims of its own");

const collect = (value: string, others: string[] = []) => [...others, value];

function readHours(value: string): number {
	if (/^\d+$/.test(value) && Number(value) <= MAX_OVERLAP_HOURS) return Number(value);
	throw wrongUsage(`--overlap-hours must be a number from 0 to ${MAX_OVERLAP_HOURS}`);
}

function readDays(value: string): number {
	if (/^\d+$/.test(value)) return Number(value);
	throw wrongUsage("--refresh-days must be a number of days");
}

type Options = OutputOptions & { tenant?: string };
type Confirmed = Options & { yes?: boolean };

type SettingOptions = Options & {
	name?: string;
	redirectUri?: string[];
	postLogoutRedirectUri?: string[];
	allowedOrigin?: string[];
	scope?: string[];
	firstParty?: boolean;
	offlineAccess?: boolean;
	refreshDays?: number;
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

/** Only what was given. */
function settingsOf(options: SettingOptions) {
	const settings = {
		name: options.name,
		redirectUris: options.redirectUri,
		postLogoutRedirectUris: options.postLogoutRedirectUri,
		allowedOrigins: options.allowedOrigin,
		scopes: options.scope,
		firstParty: options.firstParty,
		offlineAccess: options.offlineAccess,
		refreshDays: options.refreshDays,
		claimsInIdToken: options.claimsInIdToken,
		claims: readClaims(options.claim),
	};
	return Object.fromEntries(
		Object.entries(settings).filter(([, value]) => value !== undefined),
	) as Partial<ApplicationSettings>;
}

async function create(name: string, options: SettingOptions & { type: string }): Promise<void> {
	await withApplications(options, async (applications) => {
		// The endpoint rejects any other.
		const type = options.type as ApplicationType;
		printWithSecret(options, await applications.create({ ...settingsOf(options), name, type }));
	});
}

async function update(clientId: string, options: SettingOptions): Promise<void> {
	const changes = settingsOf(options);
	if (Object.keys(changes).length === 0) throw wrongUsage("Name what to change");
	await withApplications(options, async (applications) => {
		const changed = await applications.update({ ...changes, clientId });
		printResult(options, changed, () => listing(summarize(changed)));
	});
}

async function list(options: Options): Promise<void> {
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

async function show(clientId: string, options: Options): Promise<void> {
	await withApplications(options, async (applications) => {
		const found = await applications.get(clientId);
		printResult(options, found, () => listing(summarize(found)));
	});
}

async function setDisabled(clientId: string, options: Options, disabled: boolean): Promise<void> {
	await withApplications(options, async (applications) => {
		const changed = await applications.update({ clientId, disabled });
		printResult(options, changed, () => listing(summarize(changed)));
	});
}

type RotateOptions = Confirmed & { overlapHours: number };

async function rotateSecret(clientId: string, options: RotateOptions): Promise<void> {
	const { overlapHours } = options;
	await withApplications(options, async (applications) => {
		const { name } = await applications.get(clientId);
		const when = overlapHours === 0 ? "at once" : `in ${count(overlapHours, "hour")}`;
		await requireConfirmation(options, `The secret of ${name} stops ${when}.`, name);
		printWithSecret(options, await applications.rotateSecret(clientId, overlapHours));
	});
}

async function remove(clientId: string, options: Confirmed): Promise<void> {
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
	const { claimsInIdToken } = application;
	const claims = Object.entries(application.claims).map((claim) => claim.join("="));
	return {
		"client id": clientId,
		name,
		type,
		tenant: tenantId ?? "all",
		...(redirectUris.length > 0 ? { "redirect URIs": redirectUris.join(" ") } : {}),
		scopes: scopes.join(" "),
		...(type === "machine" ? {} : { "claims in ID tokens": claimsInIdToken ? "yes" : "no" }),
		...(claims.length > 0 ? { "own claims": claims.join(" ") } : {}),
		state: disabled ? "disabled" : "enabled",
	};
}
