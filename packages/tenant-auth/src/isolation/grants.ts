/** What the app decides about the tokens of its OAuth provider. */
export interface GrantSettings {
	/** How long after the sign-in the last refresh token of a grant ends, in milliseconds. */
	maxAge: (clientId: string) => Promise<number>;
	/** Whether an application may refresh after the session of its user has expired. */
	outlivesSession: (clientId: string) => Promise<boolean>;
	/** A refresh is a use of the session that the token came from. */
	markAsUsed: (sessionToken: string) => Promise<void>;
}

export interface RefreshToken extends Record<string, unknown> {
	id: unknown;
	clientId: string;
	userId: string;
	sessionId?: string | null;
	authorizationCodeId?: string | null;
	authTime?: Date | string | null;
	createdAt: Date;
	revoked?: Date | null;
	rotatedAt?: Date | null;
	rotationReplayExpiresAt?: Date | null;
	rotationReplayResponse?: string | null;
}
