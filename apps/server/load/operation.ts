/** What an app keeps of a signed-in user. */
export type Tokens = { access: string; refresh: string };

/** One tenant with its user. All users have the same email and password. */
export type Member = {
	tenantId: string;
	slug: string;
	userId: string;
	/** The client id of the tenant's OAuth config. */
	clientId: string;
	/** The cookies of the newest session. */
	cookie: string;
	/** The app that signs users in with OpenID Connect. */
	app: { clientId: string; clientSecret: string };
	/** The app's tokens of the user; `null` if there are none, or while somebody uses them. */
	tokens: Tokens | null;
};

/** A leak is a response with data of another tenant. */
export type Outcome = "ok" | "leak" | { error: string };

export type Operation = (url: string, member: Member, other: Member) => Promise<Outcome>;

export const TIMEOUT_MS = 30_000;

export const errorOf = async (response: Response): Promise<Outcome> => ({
	error: `${response.status} ${(await response.text()).slice(0, 200)}`,
});
