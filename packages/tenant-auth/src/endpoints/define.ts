import type { AuthContext } from "@better-auth/core";
import { createAuthEndpoint } from "better-auth/api";
import type { EndpointContext, EndpointOptions, StrictEndpoint } from "better-call";
import * as z from "zod";
import type { TenantScope } from "../context/tenant";
import { requireSameHost } from "../context/tenant-id";
import { requireManagedTenant, requireManagement } from "../management/authorize";
import type { ResolvedOptions } from "../options";
import { type ManagementRouteName, ROUTES, type RouteName } from "../routes";
import {
	type DocumentedError,
	describeOperation,
	type Operation,
	type RequestBody,
} from "./openapi";
import { strictBody, strictQuery } from "./strict-schemas";

/** An endpoint without its route. OpenAPI and the types of the callers come from it. */
interface Declaration extends Pick<EndpointOptions, "cloneRequest"> {
	/** One sentence for OpenAPI. */
	description: string;
	/** A field that it does not have is an error, in objects inside of it too. */
	body?: z.ZodType;
	/** The body for OpenAPI, if it is not only JSON. */
	requestBody?: RequestBody;
	/** The same for a parameter. */
	query?: z.ZodType;
	answer: z.ZodType;
	/** Errors beside `VALIDATION_ERROR` and those that the functions below add. */
	errors?: readonly DocumentedError[];
	metadata?: { allowedMediaTypes?: string[]; $Infer?: { body: unknown } };
}

type Path<Name extends RouteName> = (typeof ROUTES)[Name]["path"];

type Options<Name extends RouteName, D extends Declaration> = {
	method: (typeof ROUTES)[Name]["method"];
	metadata: (D extends { metadata: infer Metadata } ? Metadata : unknown) & { openapi: object };
} & Pick<D, Extract<keyof D, "body" | "query" | "cloneRequest">> extends infer All extends
	EndpointOptions
	? All
	: never;

type Context<Name extends RouteName, D extends Declaration> = EndpointContext<
	Path<Name>,
	Options<Name, D>,
	AuthContext
>;

type Answer<D extends Declaration> = Promise<z.output<D["answer"]>>;

export const successAnswer = z.object({ success: z.literal(true) });

/** Makes an endpoint for one instance of the plugin. Exported, so that declaration files can name it. */
export type MakeEndpoint<Name extends RouteName, D extends Declaration> = (
	options: ResolvedOptions,
) => StrictEndpoint<Path<Name>, Options<Name, D>, z.output<D["answer"]>>;

function defineEndpoint<Name extends RouteName, D extends Declaration>(
	name: Name,
	declaration: D,
	handler: (ctx: Context<Name, D>, options: ResolvedOptions) => Answer<D>,
): MakeEndpoint<Name, D> {
	const route: (typeof ROUTES)[Name] = ROUTES[name];
	const path: Path<Name> = route.path;
	const { description, answer, errors = [], metadata, requestBody, ...input } = declaration;
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
				operation ??= describeOperation(name, { description, query, answer, errors, requestBody });
				return operation;
			},
		},
	};
	// TypeScript cannot follow a generic declaration.
	return (options) =>
		createAuthEndpoint(path, endpointOptions as Options<Name, D>, (ctx) => handler(ctx, options));
}

/** An endpoint that everybody may call. A route with an action cannot be one. */
export function publicEndpoint<
	Name extends Exclude<RouteName, ManagementRouteName>,
	D extends Declaration,
>(
	name: Name,
	declaration: D,
	handler: (ctx: Context<Name, D>, options: ResolvedOptions) => Answer<D>,
): MakeEndpoint<Name, D> {
	return defineEndpoint(name, declaration, handler);
}

/**
 * An endpoint for callers who may manage the tenant that the request names. The handler runs after
 * the check, and gets that tenant.
 */
export function managedTenantEndpoint<Name extends ManagementRouteName, D extends Declaration>(
	name: Name,
	declaration: D,
	handler: (ctx: Context<Name, D>, tenant: TenantScope, options: ResolvedOptions) => Answer<D>,
): MakeEndpoint<Name, D> {
	const { action } = ROUTES[name];
	return defineEndpoint(
		name,
		withErrors(declaration, [
			"TENANT_MANAGEMENT_NOT_ALLOWED",
			"TENANT_ID_REQUIRED",
			"TENANT_NOT_FOUND",
		]),
		async (ctx, options) => handler(ctx, await requireManagedTenant(ctx, options, action), options),
	);
}

/**
 * An endpoint for callers who may manage the tenant that `findTenantId` returns; `null` stands for no
 * tenant in particular. The handler runs after the check, and gets the same id.
 *
 * @param meansOwn whether `null` is their own tenant for a user who manages by their role
 */
export function managementEndpoint<
	Name extends ManagementRouteName,
	D extends Declaration,
	TenantId extends string | null,
>(
	name: Name,
	declaration: D,
	findTenantId: (ctx: Context<Name, D>) => TenantId | Promise<TenantId>,
	handler: (ctx: Context<Name, D>, tenantId: TenantId, options: ResolvedOptions) => Answer<D>,
	meansOwn: (ctx: Context<Name, D>) => boolean = () => false,
): MakeEndpoint<Name, D> {
	const { action } = ROUTES[name];
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

function withErrors<D extends Declaration>(declaration: D, errors: DocumentedError[]): D {
	return { ...declaration, errors: [...errors, ...(declaration.errors ?? [])] };
}
