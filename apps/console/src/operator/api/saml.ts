import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";

/** As `apps/server/src/saml` has them. */
export type SamlConnection = {
	/** What the identity provider has to know about the tenant. */
	entityId: string;
	acsUrl: string;
	metadataUrl: string;
	/** Where a sign-in starts. */
	signInUrl: string;
	/** Only people with emails of these verified domains can sign in. */
	emailDomains: string[];
	identityProvider: SamlIdentityProvider | null;
};

export type SamlIdentityProvider = {
	entityId: string;
	/** Where users are sent. */
	signInUrl: string;
	certificates: SamlCertificate[];
	attributes: SamlAttributes;
	/** The tenant role for each group, the strongest first. */
	roles: Record<string, string>;
	/** Where its metadata is loaded from once a day; `null` if somebody pasted it. */
	metadataUrl: string | null;
	/** How the last attempt to load it ended. With a problem, the saved metadata stays. */
	load: {
		checkedAt: string;
		problem: { code: string; message: string; since: string } | null;
	} | null;
};

export type SamlCertificate = { fingerprint: string; expiresAt: string };

/** The attributes of an assertion from which a user is made. */
type SamlAttributes = { email?: string; name?: string; role?: string };

export type SamlInput = {
	/** Without it and a URL, the saved one stays. */
	metadata?: string;
	metadataUrl?: string;
	attributes: SamlAttributes;
	roles: Record<string, string>;
};

const PATH = "/tenant/saml";

export const samlKey = (tenantId: string) => ["saml", tenantId];

export const samlCalls = (client: ApiClient) => {
	const post = <Data>(path: string, body: object) =>
		callApi(client.$fetch<Data>(`${PATH}/${path}`, { method: "POST", body }));
	return {
		samlQuery: (tenantId: string) =>
			queryOptions({
				queryKey: samlKey(tenantId),
				queryFn: () =>
					callApi(client.$fetch<SamlConnection>(`${PATH}/get`, { query: { tenantId } })),
			}),
		/** Replaces everything that was saved before, but metadata that is not given. */
		setSaml: (tenantId: string, input: SamlInput) =>
			post<SamlConnection>("set", { tenantId, ...input }),
		/** Loads the metadata from its URL again. */
		refreshSaml: (tenantId: string) =>
			post<SamlConnection & { changed: boolean }>("refresh", { tenantId }),
		removeSaml: (tenantId: string) => post<{ success: true }>("remove", { tenantId }),
	};
};
