/** A tenant that is made for the check and deleted after it. */
export interface ThrowAwayTenant {
	id: string;
	slug: string;
	userId: string;
	email: string;
	password: string;
	/** The `Cookie` header of the user's browser. */
	cookie: string;
}

export interface ConformanceOptions {
	/** Endpoints to leave out, by their name in `auth.api`, each with the reason. */
	skip?: Record<string, string>;
	/**
	 * Tries these endpoints alone, by their name in `auth.api`. A name that is not there is an error.
	 *
	 * @default every endpoint
	 */
	only?: string[];
	/**
	 * Names the tenant in a request as the host's clients do, where `resolveTenantId` looks at
	 * something else than the tenant header: a host name, say.
	 *
	 * @default sets the tenant header
	 */
	nameTenant?: (request: Request, tenant: { id: string; slug: string }) => Request;
	/** Values for the users that are made, where the host's own fields need them. */
	userFields?: Record<string, unknown>;
	/**
	 * Makes more of a tenant's own, and answers with input for endpoints by the name of the field: a
	 * code that was sent, a key that was made. Called for both tenants.
	 */
	prepare?: (tenant: ThrowAwayTenant) => Promise<Record<string, string>>;
	/**
	 * Lets `fetch` work during the check. Without it, whatever would go out fails at once.
	 *
	 * @default false
	 */
	network?: boolean;
}
