import type { SessionSource, SignInPart } from "./sign-in-methods";

/** Fields that name a row, by table. A query names the row if it asks for one exact value. */
export type RowFields = Readonly<Record<string, readonly string[]>>;

/** What a request sends. Nothing of it is verified. */
export interface SentCall {
	readonly headers?: Headers | undefined;
	readonly query?: unknown;
	readonly body?: unknown;
}

/** How a message of an identity provider names the flow that it continues. */
export interface FlowMessages {
	/** The OAuth state that the message brings back. */
	readonly findState: (call: SentCall) => string | undefined;
	/** The identifiers under which that flow may be stored. Nobody can guess them. */
	readonly identifiersOf: (call: SentCall) => Promise<string[]>;
	/** Whether the message is a response of the identity provider, and not its own request. */
	readonly isResponse: (call: SentCall) => boolean;
}

/** What the plugin does differently at an endpoint of core or of another plugin. */
export interface EndpointRules {
	/**
	 * What decides the tenant, other than a name or a session:
	 *
	 * - `oauth-state`: the state of a social flow, whatever tenant the request names
	 * - `verification-jwt`: the signed token of a verification email, if the request names no tenant
	 * - `token`: an unguessable token of an email or of a cookie, if the request names no tenant
	 * - `token-or-session`: such a token or, in its place, a session
	 * - `row`: the row that a token or a webhook names by one of `rows`. A session decides nothing.
	 * - `public-id`: the row that the request names by its `publicId`, if it names no tenant. If there is
	 *   none, one of `rows`, or a session where there are none.
	 */
	readonly tenantFrom?:
		| "oauth-state"
		| "verification-jwt"
		| "token"
		| "token-or-session"
		| "row"
		| "public-id";
	/**
	 * For `row`: the fields that name it. Only list fields whose values nobody can guess, or which the
	 * endpoint has authenticated before it asks for them.
	 */
	readonly rows?: RowFields;
	/** For `row`: the tenant that the request names is used only for a request that names such a row. */
	readonly rowRequired?: true;
	/** For `public-id`: a field that is unique across all tenants, and where a request has its value. */
	readonly publicId?: {
		readonly table: string;
		readonly field: string;
		readonly find: (call: SentCall) => string | null;
	};
	/**
	 * It starts a flow that comes back with an OAuth state, without using a social provider. At a
	 * callback: if the request has no state, because the identity provider sent the user unasked.
	 */
	readonly startsFlow?: true;
	/**
	 * It gets messages of identity providers. The flow that a message continues decides the tenant,
	 * whatever tenant the request names.
	 */
	readonly messages?: FlowMessages;
	/** All tenants share this callback, and they choose the servers that get its codes. */
	readonly sharesCodes?: true;
	/** An identity provider or a browser opens it by a URL alone, so its query may name the tenant. */
	readonly tenantInQuery?: true;
	/** It calls another endpoint over HTTP, with the headers of its request. */
	readonly forwardsHeaders?: true;
	/** It sends a link that it makes from the base URL of the call. */
	readonly mailsLink?: true;
	/** It has a counterpart of ours at the same path below `/tenant`. */
	readonly mirrored?: true;
	/**
	 * Core has used up a token or created a user before it hashes the password. If the queue rejected
	 * the hash, that would stay half done. Few callers come here: each needs a token or is an admin.
	 */
	readonly hashMustRun?: true;
	/** Core hashes the password inside its transaction. */
	readonly hashesInTransaction?: true;
	/** It starts or finishes a social sign-in. */
	readonly social?: "start" | "finish";
	/** The social provider that it uses, whatever the request names. */
	readonly providerId?: string;
	/** It uses the tokens of a social account. */
	readonly usesAccountTokens?: true;
	/** A signed-in user links a social account to themselves. */
	readonly linksAccount?: true;
	/** An admin stops impersonating a user. */
	readonly endsImpersonation?: true;
	/** An endpoint for admins that changes nothing. All others are audited. */
	readonly adminReads?: true;
	/** Responds with the user that it created. */
	readonly adminCreatesUser?: true;
	/** It ends the session, and says where the user can sign out at the provider. */
	readonly signsOut?: true;
	/** It only says who is signed in, so it may respond from the cookie cache. */
	readonly readsSession?: true;
	/** How the session comes about that it creates, or the user. It may also be the start of a flow. */
	readonly signIn?: SessionSource;
	/** It ends a sign-in, or a part of one that has its own name. Events report it. */
	readonly endsSignIn?: true | SignInPart;
	/** It creates a user in any case, with the `email` of its body. */
	readonly signsUp?: true;
	/** The field of its body that has a new password. */
	readonly newPassword?: "password" | "newPassword";
	/** It verifies a password. Core also hashes one here, to hide that there is none. */
	readonly verifiesPassword?: true;
	/** A user whose tenant requires a second factor may call it before they have one. */
	readonly enrollsSecondFactor?: true;
	/** It responds for a user by a token that was issued earlier. No session is asked. */
	readonly servesTokens?: true;
	/** It makes new tokens of a refresh token. */
	readonly refreshesTokens?: true;
	/** It ends the sessions of a user, and then deletes the user. */
	readonly deletesUser?: true;
	/** It ends all sessions of the user but one. */
	readonly endsOtherSessions?: true;
}
