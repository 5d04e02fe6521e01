import { getCurrentAdapter } from "@better-auth/core/context";
import type { DBTransactionAdapter } from "@better-auth/core/db/adapter";
import type { AuthContext } from "better-auth";
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
};

type ProviderRow = { id: string; samlConfig: string };

type StoredConfig = {
	idpMetadata: { metadata: string };
	mapping: AttributeNames;
	roles?: Record<string, string>;
};

const ofTenant = [{ field: "providerId", value: PROVIDER_ID }];

/** The SAML identity provider of the current tenant. It has no secret. */
export async function findProvider(
	database: Pick<DBTransactionAdapter, "findOne">,
): Promise<StoredProvider | null> {
	const row = await database.findOne<ProviderRow>({ model: "ssoProvider", where: ofTenant });
	if (!row) return null;
	const { idpMetadata, mapping, roles = {} }: StoredConfig = JSON.parse(row.samlConfig);
	return { metadata: idpMetadata.metadata, attributes: mapping, roles };
}

export const providerStore = ({ adapter }: Pick<AuthContext, "adapter">) => ({
	find: async () => findProvider(await getCurrentAdapter(adapter)),

	async save(
		own: ServiceProvider,
		given: StoredProvider & { signInUrl: string; domains: string[] },
	): Promise<void> {
		const database = await getCurrentAdapter(adapter);
		const { metadata, signInUrl, attributes, roles, domains } = given;
		const samlConfig = JSON.stringify({
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
		});
		const values = {
			issuer: own.entityId,
			samlConfig,
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

	async remove(): Promise<boolean> {
		const database = await getCurrentAdapter(adapter);
		return (await database.deleteMany({ model: "ssoProvider", where: ofTenant })) > 0;
	},
});
