import type { InferDBFieldsInput, InferDBFieldsOutput } from "@better-auth/core/db";
import type { EndpointOptions, StrictEndpoint } from "better-call";
import type { TenantUser } from "../../management/users/managed-users";
import type { UserFields } from "../../tenant-auth-options";
import type { ListPart } from "./lists";

/** The same type with the fields, wherever a user is in it. */
type Typed<Result, Added> =
	Result extends ListPart<TenantUser>
		? ListPart<TenantUser & Added>
		: Result extends TenantUser
			? Result & Added
			: Result extends { user: TenantUser }
				? Omit<Result, "user"> & { user: Result["user"] & Added }
				: Result;

type WithBody<Options, Added> = Options extends {
	metadata: { $Infer: { body: infer Body } };
}
	? Omit<Options, "metadata"> & {
			metadata: Omit<Options["metadata"], "$Infer"> & { $Infer: { body: Body & Added } };
		}
	: Options;

type NewUser = "signUpEmailTenant" | "createTenantUser";

type UserEndpoint =
	| NewUser
	| "signInEmailTenant"
	| "signInSocialTenant"
	| "listTenantUsers"
	| "getTenantUser"
	| "updateTenantUser"
	| "disableTenantUser"
	| "enableTenantUser"
	| "removeTenantSecondFactor";

type TypedEndpoint<Endpoint, Fields extends UserFields, Name> =
	Endpoint extends StrictEndpoint<infer Path, infer Options, infer Result>
		? WithBody<
				Options,
				Name extends NewUser ? InferDBFieldsInput<Fields> : unknown
			> extends infer All extends EndpointOptions
			? StrictEndpoint<Path, All, Typed<Result, InferDBFieldsOutput<Fields>>>
			: never
		: never;

/** The endpoints of an app that names the additional fields of its users. */
export type WithUserFields<Endpoints, Fields extends UserFields> = Omit<Endpoints, UserEndpoint> & {
	[Name in UserEndpoint & keyof Endpoints]: TypedEndpoint<Endpoints[Name], Fields, Name>;
};
