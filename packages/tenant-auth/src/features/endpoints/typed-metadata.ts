import type { EndpointOptions, StrictEndpoint } from "better-call";
import type { Tenant, TenantMetadata, TenantWith } from "../../management/tenants/tenant";
import type { Endpoints } from "./index";
import type { ListPart } from "./lists";

/** The same type with the app's metadata, wherever a tenant is in it. */
type Typed<Result, Metadata> =
	Result extends ListPart<Tenant>
		? ListPart<TenantWith<Metadata>>
		: Result extends Tenant
			? TenantWith<Metadata>
			: Result;

type WithBody<Options, Metadata> = Options extends { metadata: { $Infer: infer Input } }
	? Input extends { body: { metadata?: unknown } }
		? Omit<Options, "metadata"> & {
				metadata: Omit<Options["metadata"], "$Infer"> & {
					$Infer: Omit<Input, "body"> & {
						body: Omit<Input["body"], "metadata"> & {
							metadata?: (Metadata & { branding?: unknown }) | null | undefined;
						};
					};
				};
			}
		: Options
	: Options;

type TypedEndpoint<Endpoint, Metadata> =
	Endpoint extends StrictEndpoint<infer Path, infer Options, infer Result>
		? WithBody<Options, Metadata> extends infer All extends EndpointOptions
			? StrictEndpoint<Path, All, Typed<Result, Metadata>>
			: never
		: never;

type TenantEndpoint =
	| "createTenant"
	| "getTenant"
	| "listTenants"
	| "updateTenant"
	| "suspendTenant"
	| "resumeTenant";

/** The endpoints of an app that declares the type of its metadata. */
export type EndpointsWith<Metadata> = TenantMetadata extends Metadata
	? Endpoints
	: Omit<Endpoints, TenantEndpoint> & {
			[Name in TenantEndpoint]: TypedEndpoint<Endpoints[Name], Metadata>;
		};
