import { queryOptions } from "@tanstack/react-query";
import { type ApiClient, callApi } from "../../api/client";

export const APPLICATION_TYPES = ["web", "spa", "native", "machine"] as const;

export type ApplicationType = (typeof APPLICATION_TYPES)[number];

/** As `apps/server/src/openid-provider/applications` has it. */
export type Application = ApplicationSettings & {
	clientId: string;
	/** `null` for an application of all tenants. */
	tenantId: string | null;
	type: ApplicationType;
	disabled: boolean;
	/** Until when the secret before the last rotation works too. */
	previousSecretUntil: string | null;
	createdAt: string;
	updatedAt: string;
};

export type ApplicationSettings = {
	name: string;
	logoUrl: string | null;
	redirectUris: string[];
	postLogoutRedirectUris: string[];
	/** Where it is told that a session has ended. */
	backchannelLogoutUri: string | null;
	/** Whether it is told which session, and not only which user. */
	backchannelLogoutSessionRequired: boolean;
	allowedOrigins: string[];
	scopes: string[];
	/** Whether users are not asked for consent. */
	firstParty: boolean;
	requirePkce: boolean;
	/** Whether devices without a browser can use it. */
	deviceFlow: boolean;
	/** Whether its tokens are always bound to a key of it. */
	dpop: boolean;
	/** Whether it may refresh its tokens after the session has expired. */
	offlineAccess: boolean;
	/** How many days after the sign-in it may refresh its tokens. `null`: as the service has it. */
	refreshDays: number | null;
	/** How many minutes its tokens are valid. `null`: as the service has it. */
	accessTokenMinutes: number | null;
	idTokenMinutes: number | null;
	/** Whether ID tokens have the claims of the scopes profile and email. */
	claimsInIdToken: boolean;
	/** Public keys with which it authenticates in place of a secret. */
	jwks: { keys: Record<string, unknown>[] } | null;
	/** Where it publishes such keys. */
	jwksUri: string | null;
	/** Own claims, with where their values come from. */
	claims: Record<string, string>;
};

/** Only these responses have the secret. It is `null` for a type without one. */
export type WithSecret = Application & { clientSecret: string | null };

/** Without scopes, an application may ask for everything that its type can use. */
type NewApplication = Omit<ApplicationSettings, "scopes"> & {
	type: ApplicationType;
	scopes?: string[];
};

/** Whose application it is. `null` for applications of all tenants. */
type Owner = string | null;

export const applicationsKey = (tenantId: Owner) => ["applications", tenantId];

export function applicationCalls(client: ApiClient) {
	const pathOf = (tenantId: Owner, name: string) =>
		`/${tenantId === null ? "operator" : "tenant"}/application/${name}`;
	const named = (tenantId: Owner) => (tenantId === null ? {} : { tenantId });
	const get = <Data>(tenantId: Owner, name: string, query: Record<string, string> = {}) =>
		callApi(
			client.$fetch<Data>(pathOf(tenantId, name), { query: { ...named(tenantId), ...query } }),
		);
	const post = <Data>(tenantId: Owner, name: string, body: object) =>
		callApi(
			client.$fetch<Data>(pathOf(tenantId, name), {
				method: "POST",
				body: { ...named(tenantId), ...body },
			}),
		);

	return {
		applicationsQuery: (tenantId: Owner) =>
			queryOptions({
				queryKey: [...applicationsKey(tenantId), "list"],
				queryFn: () => get<Application[]>(tenantId, "list"),
			}),

		applicationQuery: (tenantId: Owner, clientId: string) =>
			queryOptions({
				queryKey: [...applicationsKey(tenantId), clientId],
				queryFn: () => get<Application>(tenantId, "get", { clientId }),
			}),

		createApplication: (tenantId: Owner, application: NewApplication) =>
			post<WithSecret>(tenantId, "create", application),
		/** What is left out stays. */
		updateApplication: (
			tenantId: Owner,
			clientId: string,
			changes: Partial<ApplicationSettings> & { disabled?: boolean },
		) => post<Application>(tenantId, "update", { clientId, ...changes }),
		rotateApplicationSecret: (tenantId: Owner, clientId: string, overlapHours: number) =>
			post<WithSecret>(tenantId, "rotate-secret", { clientId, overlapHours }),
		deleteApplication: (tenantId: Owner, clientId: string) =>
			post(tenantId, "delete", { clientId }),
	};
}
