/** Any Better Auth instance. Its full type depends on the app's options. */
export interface ConformanceAuth {
	handler: (request: Request) => Promise<Response>;
	api: object;
	$context: Promise<unknown>;
}

/** A tenant that exists only during the check. */
export interface TestTenant {
	id: string;
	slug: string;
	userId: string;
	email: string;
	password: string;
	/** The `Cookie` header of the user's browser. */
	cookie: string;
}

export interface ConformanceOptions {
	/**
	 * Endpoints to skip, by their name in `auth.api`, each with the reason. Also shared tables, as
	 * `table:country`, if their columns only look like credentials.
	 */
	skip?: Record<string, string>;
	/**
	 * Checks only these endpoints, by their name in `auth.api`. An unknown name is an error.
	 *
	 * @default every endpoint
	 */
	only?: string[];
	/**
	 * Names the tenant in a request as your clients do. Set it if `resolveTenantId` does not use the
	 * tenant header but, for example, a path. Not needed with the option `hosts`.
	 *
	 * @default sets the tenant header
	 */
	nameTenant?: (request: Request, tenant: { id: string; slug: string }) => Request;
	/** Values for fields that your app requires on every user. */
	userFields?: Record<string, unknown>;
	/**
	 * Creates more data of a tenant and returns input for endpoints by field name, such as a code that
	 * was sent or a key that was created. Called for both tenants.
	 */
	prepare?: (tenant: TestTenant) => Promise<Record<string, string>>;
	/**
	 * Lets `fetch` work during the check. By default every `fetch` fails at once.
	 *
	 * @default false
	 */
	network?: boolean;
	/**
	 * Prints what your app logs during the check. The calls of the check are wrong on purpose, so there are
	 * many errors.
	 *
	 * @default false
	 */
	logs?: boolean;
}

/** Data of tenant A that another caller could read or change. */
export interface Leak {
	/** The endpoint's name in `auth.api`, or a shared table with credentials (`table:apikey`). */
	endpoint: string;
	/** Who called, such as "B's session, naming B". */
	caller: string;
	/** The call, such as `POST /update-user {"id":"…"}`. */
	call: string;
	/** What went wrong. */
	what: string;
}

export interface CheckedEndpoint {
	name: string;
	/** `null` if the endpoint has no route and was called on the server. */
	path: string | null;
	calls: number;
	/** The number of responses for each status. */
	responses: Record<number, number>;
	/** Whether every call failed the validation of its input, so that nothing was proven. */
	inputNeverAccepted: boolean;
}

export interface IsolationReport {
	leaks: Leak[];
	endpoints: CheckedEndpoint[];
	skipped: { name: string; reason: string }[];
	/** What could not be checked, and why. */
	notes: string[];
}
