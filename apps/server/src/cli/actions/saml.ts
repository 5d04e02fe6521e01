import { readFileSync } from "node:fs";
import { isAPIError } from "better-auth/api";
import type { Auth } from "../../auth";
import { Failure, listing, type OutputOptions, printResult, table, wrongUsage } from "../output";
import { requireTenant, withAuth } from "../with-auth";

type Options = OutputOptions & { tenant: string };
type Connection = Awaited<ReturnType<Auth["api"]["getTenantSaml"]>>;

export async function show(options: Options): Promise<void> {
	await withSaml(options, async (api, tenantId) => {
		const found = await api.getTenantSaml({ query: { tenantId } });
		printResult(options, found, () => listing(summarize(found)));
	});
}

type SetOptions = Options & { metadataUrl?: string; metadataFile?: string };

export async function set(options: SetOptions): Promise<void> {
	const source = readSource(options);
	await withSaml(options, async (api, tenantId) => {
		const before = await findSaved(api, tenantId);
		const { attributes, roles } = { attributes: {}, roles: {}, ...before };
		const saved = await api.setTenantSaml({ body: { tenantId, ...source, attributes, roles } });
		printResult(options, saved, () => listing(summarize(saved)));
	});
}

/** What cannot be read any more is replaced. */
async function findSaved(api: Auth["api"], tenantId: string) {
	try {
		return (await api.getTenantSaml({ query: { tenantId } })).identityProvider;
	} catch (error) {
		if (isAPIError(error) && error.body?.code === "SAML_UNREADABLE") return null;
		throw error;
	}
}

function readSource({ metadataUrl, metadataFile }: SetOptions) {
	if (metadataUrl !== undefined && metadataFile === undefined) return { metadataUrl };
	if (metadataFile === undefined || metadataUrl !== undefined) {
		throw wrongUsage("Pass --metadata-url or --metadata-file.");
	}
	try {
		return { metadata: readFileSync(metadataFile, "utf8") };
	} catch {
		throw wrongUsage(`The file ${metadataFile} cannot be read.`);
	}
}

export async function refresh(options: Options): Promise<void> {
	await withSaml(options, async (api, tenantId) => {
		const result = await api.refreshTenantSaml({ body: { tenantId } });
		printResult(options, result, () =>
			result.changed ? "Saved the new metadata." : "The metadata has not changed.",
		);
	});
}

export async function test(options: Options): Promise<void> {
	await withSaml(options, async (api, tenantId) => {
		const result = await api.testTenantSaml({ body: { tenantId } });
		printResult(options, result, () => {
			const rows = result.steps.map(({ name, state, message }) => [name, state, message]);
			return table(["STEP", "STATE", "MESSAGE"], rows);
		});
		if (!result.ok) throw new Failure("The test did not pass.", { code: "TEST_NOT_PASSED" });
	});
}

function summarize({ identityProvider, ...own }: Connection): Record<string, unknown> {
	const { entityId, acsUrl, metadataUrl, emailDomains } = own;
	const problem = identityProvider?.load?.problem;
	return {
		"entity ID": entityId,
		"ACS URL": acsUrl,
		metadata: metadataUrl,
		"email domains": emailDomains.join(", ") || "none",
		"identity provider": identityProvider?.entityId ?? "none",
		...(identityProvider && {
			"sign-in URL": identityProvider.signInUrl,
			"certificates until": identityProvider.certificates
				.map(({ expiresAt }) => expiresAt.toISOString())
				.join(", "),
			"metadata from": identityProvider.metadataUrl ?? "pasted",
			...(problem && {
				problem: `${problem.message}, since ${problem.since.toISOString()}`,
			}),
		}),
	};
}

async function withSaml(
	{ tenant }: Options,
	work: (api: Auth["api"], tenantId: string) => Promise<void>,
): Promise<void> {
	await withAuth(async (auth, { settings }) => {
		if (!settings.saml) {
			throw new Failure("SAML is off. Set SAML=true, also for the server.", { code: "SAML_OFF" });
		}
		await work(auth.api, (await requireTenant(auth, tenant)).id);
	});
}
