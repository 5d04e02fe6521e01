import type { AuthContext } from "@better-auth/core";
import { createAuthEndpoint } from "better-auth/api";
import type {
	EndpointContext,
	EndpointOptions,
	StandardSchemaV1,
	StrictEndpoint,
} from "better-call";
import * as z from "zod";
import { requireInstance } from "../../call/context/current-state";
import { scopeOf, type TenantScope } from "../../call/context/tenant";
import { requireSameHost } from "../../call/context/tenant-id";
import type { ErrorTexts } from "../../error-codes";
import { requireManagedTenant, requireManagement } from "../../management/access/authorize";
import { type ReachableUser, requireReachableUser } from "../../management/access/reachable-user";
import { idSchema, namedTenantSchema } from "../../management/tenants/tenant";
import type { ResolvedOptions } from "../../options";
import { ROUTES, type Route } from "../../routes";
import {
	type DocumentedError,
	describeOperation,
	type Operation,
	type RequestBody,
} from "./openapi";
import { strictBody, strictQuery } from "./strict-schemas";

/** An endpoint without its route. OpenAPI and the types of the callers come from it. */
interface Declaration<Code extends string> extends Pick<EndpointOptions, "cloneRequest"> {
	/** One sentence for OpenAPI. */
	description: string;
	/** A field that it does not have is an error, in objects inside of it too. */
	body?: z.ZodType;
	/** The body for OpenAPI, if it is not only JSON. */
	requestBody?: RequestBody;
	/** The same for a parameter. */
	query?: z.ZodType;
	response: z.ZodType;
	/** Errors beside `VALIDATION_ERROR` and those that the functions below add. */
	errors?: readonly (DocumentedError | Code)[];
	metadata?: { allowedMediaTypes?: string[]; $Infer?: { body: unknown } };
}

type Options<R extends Route, D> = {
	method: R["method"];
	metadata: (D extends { metadata: infer Metadata } ? Metadata : unknown) & { openapi: object };
} & Pick<D, Extract<keyof D, "body" | "query" | "cloneRequest">> extends infer All extends
	EndpointOptions
	? All
	: never;

type Context<R extends Route, D> = EndpointContext<R["path"], Options<R, D>, AuthContext>;

type Returned<D extends { response: z.ZodType }> = Promise<z.output<D["response"]>>;

type Result<D extends { response: z.ZodType }> = D["response"]["_zod"]["output"];

export const successResponse = z.object({ success: z.literal(true) });

/** The same fields, written out. Otherwise declaration files would have the schemas of zod. */
type Plain<Fields> = Fields extends object ? { [Field in keyof Fields]: Fields[Field] } : Fields;

/** The body that callers of an endpoint send. */
type Input<D> = D extends { metadata: { $Infer: infer Given } }
	? Given
	: D extends { body: { _zod: { input: infer Body } } }
		? { body: Plain<Body> }
		: object;

/** `$Infer` has no place for a query that may be left out. */
type Query<D> = D extends { query: { _zod: { input: infer Sent; output: infer Read } } }
	? { query: StandardSchemaV1<Plain<Sent>, Plain<Read>> }
	: object;

type CallOptions<R extends Route, D> = {
	method: R["method"];
	metadata: { openapi: object; $Infer: Input<D> };
} & Query<D> extends infer All extends EndpointOptions
	? All
	: never;

/**
 * An endpoint for its callers. Its type has what they send, but not the schemas of zod: the compiler of each
 * app would compare them with the interface of a schema, which is most of its work.
 *
 * The functions below do not return it by this name. Then declaration files would have the name with the whole
 * declaration, and each app would work out again what callers send.
 */
export type DefinedEndpoint<R extends Route, D extends { response: z.ZodType }> = StrictEndpoint<
	R["path"],
	CallOptions<R, D>,
	D["response"]["_zod"]["output"]
>;

/** The names of routes that have an action. */
type Managed<Routes> = {
	[Name in keyof Routes]: Routes[Name] extends { action: string } ? Name : never;
}[keyof Routes];

type Public<Routes> = Exclude<keyof Routes, Managed<Routes>>;

/** What makes the endpoints of these routes. A feature has routes and errors of its own. */
export function endpointsOf<
	Routes extends Readonly<Record<string, Route>>,
	const Errors extends ErrorTexts,
>(routes: Routes, ownErrors: Errors) {
	type Declared = Declaration<Extract<keyof Errors, string>>;

	/** An endpoint is made once per process. It finds the options of its instance when it is called. */
	function defineEndpoint<Name extends keyof Routes, D extends Declared>(
		name: Name,
		declaration: D,
		handler: (ctx: Context<Routes[Name], D>, options: ResolvedOptions) => Returned<D>,
	): StrictEndpoint<Routes[Name]["path"], CallOptions<Routes[Name], D>, Result<D>> {
		const route: Routes[Name] = routes[name];
		const { description, response, errors = [], metadata, requestBody, ...input } = declaration;
		const { body, query } = input;
		let operation: Operation | undefined;
		const endpointOptions: unknown = {
			...input,
			...(body ? { body: strictBody(body) } : {}),
			...(query ? { query: strictQuery(query) } : {}),
			method: route.method,
			metadata: {
				...metadata,
				// Only the OpenAPI document needs it, and all of them together would slow down the start.
				get openapi() {
					const described = { description, query, response, errors, requestBody };
					operation ??= describeOperation(String(name), described, ownErrors);
					return operation;
				},
			},
		};
		// TypeScript cannot follow a generic declaration.
		const endpoint: unknown = createAuthEndpoint(
			route.path as Routes[Name]["path"],
			endpointOptions as Options<Routes[Name], D>,
			(ctx) => handler(ctx, requireInstance(ctx.context).options),
		);
		return endpoint as DefinedEndpoint<Routes[Name], D>;
	}

	/** An endpoint that everybody may call. A route with an action cannot be one. */
	function publicEndpoint<Name extends Public<Routes>, D extends Declared>(
		name: Name,
		declaration: D,
		handler: (ctx: Context<Routes[Name], D>, options: ResolvedOptions) => Returned<D>,
	): StrictEndpoint<Routes[Name]["path"], CallOptions<Routes[Name], D>, Result<D>> {
		return defineEndpoint(name, declaration, handler);
	}

	/**
	 * An endpoint for callers who may manage the tenant that the request names. The handler runs after
	 * the check, and gets that tenant.
	 */
	function managedTenantEndpoint<Name extends Managed<Routes>, D extends Declared>(
		name: Name,
		declaration: D,
		handler: (
			ctx: Context<Routes[Name], D>,
			tenant: TenantScope,
			options: ResolvedOptions,
		) => Returned<D>,
	): StrictEndpoint<Routes[Name]["path"], CallOptions<Routes[Name], D>, Result<D>> {
		const route: Routes[Name] = routes[name];
		const action = actionOf(route);
		return defineEndpoint(
			name,
			withErrors(declaration, [
				"TENANT_MANAGEMENT_NOT_ALLOWED",
				"TENANT_ID_REQUIRED",
				"TENANT_NOT_FOUND",
			]),
			async (ctx, options) =>
				handler(ctx, scopeOf(await requireManagedTenant(ctx, options, action)), options),
		);
	}

	/**
	 * An endpoint for callers who may manage the tenant that `findTenantId` returns; `null` stands for no
	 * tenant in particular. The handler runs after the check, and gets the same id.
	 *
	 * @param meansOwn whether `null` is their own tenant for a user who manages by their role
	 */
	function managementEndpoint<
		Name extends Managed<Routes>,
		D extends Declared,
		TenantId extends string | null,
	>(
		name: Name,
		declaration: D,
		findTenantId: (ctx: Context<Routes[Name], D>) => TenantId | Promise<TenantId>,
		handler: (
			ctx: Context<Routes[Name], D>,
			tenantId: TenantId,
			options: ResolvedOptions,
		) => Returned<D>,
		meansOwn: (ctx: Context<Routes[Name], D>) => boolean = () => false,
	): StrictEndpoint<Routes[Name]["path"], CallOptions<Routes[Name], D>, Result<D>> {
		const route: Routes[Name] = routes[name];
		const action = actionOf(route);
		return defineEndpoint(
			name,
			withErrors(declaration, ["TENANT_MANAGEMENT_NOT_ALLOWED"]),
			async (ctx, options) => {
				const named = await findTenantId(ctx);
				const request = { action, tenantId: named };
				// The same id, unless it is `null` and may mean their own tenant.
				const rules = { mayMeanOwn: meansOwn(ctx) };
				const tenantId = (await requireManagement(ctx, options, request, rules)) as TenantId;
				if (tenantId !== null) await requireSameHost(ctx, options, tenantId);
				return handler(ctx, tenantId, options);
			},
		);
	}

	return { publicEndpoint, managedTenantEndpoint, managementEndpoint };
}

function actionOf({ action }: Route): NonNullable<Route["action"]> {
	if (action) return action;
	throw new Error("A route of management needs an action");
}

function withErrors<D extends { errors?: readonly string[] }>(
	declaration: D,
	errors: DocumentedError[],
): D {
	return { ...declaration, errors: [...errors, ...(declaration.errors ?? [])] };
}

export const { publicEndpoint, managedTenantEndpoint, managementEndpoint } = endpointsOf(
	ROUTES,
	{},
);

export const tenantQuery = z.object({ tenantId: namedTenantSchema }).optional();
export const tenantBody = z.object({ tenantId: namedTenantSchema });
export const userBody = tenantBody.extend({ userId: idSchema.meta({ description: "The user" }) });

type OfUser = Declaration<never> & { body: z.ZodType<{ userId: string }> };

/**
 * An endpoint that changes the user whom the body names. The handler runs after the check that the caller may
 * manage the tenant and reaches the user.
 */
export const managedUserEndpoint = <Name extends Managed<typeof ROUTES>, D extends OfUser>(
	name: Name,
	declaration: D,
	handler: (
		ctx: Context<(typeof ROUTES)[Name], D>,
		tenant: TenantScope,
		user: ReachableUser,
	) => Returned<D>,
): StrictEndpoint<
	(typeof ROUTES)[Name]["path"],
	CallOptions<(typeof ROUTES)[Name], D>,
	Result<D>
> =>
	managedTenantEndpoint(
		name,
		withErrors(declaration, ["USER_NOT_FOUND", "ROLE_NOT_ALLOWED"]),
		async (ctx, tenant, options) => {
			// TypeScript cannot follow a generic declaration.
			const { userId } = ctx.body as { userId: string };
			return handler(ctx, tenant, await requireReachableUser(ctx, tenant, options, userId));
		},
	);
