import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { AuthContext } from "better-auth";
import { changedMeanwhile, notSetUp, tooLarge, unreadable } from "./errors";
import { type IdpMetadata, readIdpMetadata } from "./idp-metadata";
import { metadataOf, PROVIDER_ID, type ServiceProvider } from "./service-provider";

/** The attributes of an assertion from which a user is made. */
type AttributeNames = {
	email?: string | undefined;
	name?: string | undefined;
	role?: string | undefined;
};

export type StoredProvider = {
	/** It has only what is used. */
	metadata: string;
	attributes: AttributeNames;
	/** The tenant role for each value of the attribute `role`. The first one that matches is used. */
	roles: Record<string, string>;
	/** Where the metadata was loaded from; `null` if somebody pasted it. */
	metadataUrl: string | null;
	/** How the last attempt to load it ended. */
	load: MetadataLoad | null;
	/** The entity id that the tenant had when it was saved. Responses for another one are refused. */
	audience: string;
};

export type MetadataLoad = {
	checkedAt: Date;
	/** Why the saved metadata stayed. */
	problem: { code: string; message: string; since: Date } | null;
};

/** A sign-in that is running ends if `samlConfig` changes. So `metadataLoad` is not in there. */
export type ProviderRow = { id: string; samlConfig: string; metadataLoad?: string | null };

type StoredConfig = {
	audience: string;
	idpMetadata: { metadata: string };
	mapping: AttributeNames;
	roles?: Record<string, string>;
	metadataUrl?: string | null;
};

/** As JSON has it. */
type Stored<T> = T extends Date ? string : { [K in keyof T]: Stored<T[K]> };

const ofTenant = [{ field: "providerId", value: PROVIDER_ID }];

/** The SAML identity provider of the current tenant. It has no secret. */
export async function findProvider(
	database: Pick<DBTransactionAdapter, "findOne">,
): Promise<StoredProvider | null> {
	const row = await database.findOne<ProviderRow>({ model: "ssoProvider", where: ofTenant });
	return row && toProvider(row);
}

/** @throws APIError `SAML_UNREADABLE` */
export function toProvider(row: ProviderRow): StoredProvider {
	try {
		return parseProvider(row);
	} catch (error) {
		throw unreadable(error);
	}
}

/** @throws APIError `SAML_UNREADABLE` */
export function readSavedMetadata({ metadata }: Pick<StoredProvider, "metadata">): IdpMetadata {
	try {
		return readIdpMetadata(metadata, true);
	} catch (error) {
		throw unreadable(error);
	}
}

function parseProvider({ samlConfig, metadataLoad }: ProviderRow): StoredProvider {
	const config: StoredConfig = JSON.parse(samlConfig);
	const { idpMetadata, mapping, roles = {}, metadataUrl = null, audience } = config;
	return {
		metadata: idpMetadata.metadata,
		attributes: mapping,
		roles,
		metadataUrl,
		load: metadataLoad ? toLoad(JSON.parse(metadataLoad)) : null,
		audience,
	};
}

const toLoad = ({ checkedAt, problem }: Stored<MetadataLoad>): MetadataLoad => ({
	checkedAt: new Date(checkedAt),
	problem: problem && { ...problem, since: new Date(problem.since) },
});

/** What a URL may change of a provider. */
type Loaded = { metadata: string; signInUrl: string };

const withLoaded = (samlConfig: string, { metadata, signInUrl }: Loaded): string =>
	toColumn({
		...JSON.parse(samlConfig),
		entryPoint: signInUrl,
		idpMetadata: { metadata },
	});

/** In bytes. A text of MySQL has room for so much, and a certificate may be of any length. */
const MAX_COLUMN = 65_535;

/** @throws APIError `INVALID_SAML_METADATA` */
function toColumn(config: object): string {
	const text = JSON.stringify(config);
	if (Buffer.byteLength(text) > MAX_COLUMN) throw tooLarge();
	return text;
}

export type ProviderStore = ReturnType<typeof providerStore>;

export const providerStore = ({ adapter }: Pick<AuthContext, "adapter">) => ({
	find: async () => findProvider(await getCurrentAdapter(adapter)),

	async save(
		own: ServiceProvider,
		given: Omit<StoredProvider, "audience"> & { signInUrl: string; domains: string[] },
	): Promise<void> {
		const database = await getCurrentAdapter(adapter);
		const { metadata, signInUrl, attributes, roles, domains, metadataUrl, load } = given;
		const samlConfig = toColumn({
			issuer: own.entityId,
			audience: own.entityId,
			entryPoint: signInUrl,
			// Where a response ends that belongs to no flow.
			callbackUrl: own.errorUrl,
			wantAssertionsSigned: true,
			authnRequestsSigned: false,
			idpMetadata: { metadata },
			spMetadata: { metadata: metadataOf(own) },
			mapping: attributes,
			roles,
			metadataUrl,
		});
		const values = {
			issuer: own.entityId,
			samlConfig,
			metadataLoad: load && JSON.stringify(load),
			domain: domains.join(","),
			domainVerified: true,
		};
		const changed = await database.updateMany({
			model: "ssoProvider",
			where: ofTenant,
			update: values,
		});
		if (changed > 0) return;
		await database.create({ model: "ssoProvider", data: { providerId: PROVIDER_ID, ...values } });
	},

	/**
	 * Changes what was loaded from the URL.
	 *
	 * @throws APIError if the metadata or its URL is not what it was before it was loaded
	 */
	async update(
		before: StoredProvider,
		changes: { load: MetadataLoad; loaded?: Loaded },
	): Promise<void> {
		const database = await getCurrentAdapter(adapter);
		const row = await database.findOne<ProviderRow>({ model: "ssoProvider", where: ofTenant });
		if (!row) throw notSetUp();
		const now = toProvider(row);
		const isSame = now.metadata === before.metadata && now.metadataUrl === before.metadataUrl;
		if (!isSame) throw changedMeanwhile();
		const { load, loaded } = changes;
		const metadataLoad = JSON.stringify(load);
		const changed = await database.updateMany({
			model: "ssoProvider",
			// Only what was read: somebody could save something else at the same time.
			where: [...ofTenant, { field: "samlConfig", value: row.samlConfig }],
			update: { metadataLoad, ...(loaded && { samlConfig: withLoaded(row.samlConfig, loaded) }) },
		});
		if (changed === 0) throw changedMeanwhile();
	},

	async remove(): Promise<boolean> {
		const database = await getCurrentAdapter(adapter);
		return (await database.deleteMany({ model: "ssoProvider", where: ofTenant })) > 0;
	},
});
