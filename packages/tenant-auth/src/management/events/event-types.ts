import * as z from "zod";
import { flag, text, textOrNull, texts } from "../../described";

const userId = text("The user");
const providerId = text("The provider");
const client = {
	ipAddress: textOrNull("The IP address of the client"),
	userAgent: textOrNull("The browser of the client"),
};
const signIn = {
	method: text("How they signed in, for example password or social"),
	providerId: textOrNull("The social or SSO provider"),
	...client,
};

const event = <Shape extends z.ZodRawShape>(description: string, shape: Shape) => ({
	description,
	data: z.object(shape),
});

/**
 * Every event, with its data. Data contains no secret, no token, and no email except that of a new
 * user. `docs/events.md` has the list for readers, and a test compares both.
 */
export const EVENT_TYPES = {
	"tenant.created": event("A tenant was created", {
		name: text("Its name"),
		slug: text("Its slug"),
	}),
	"tenant.updated": event("A tenant was updated", { fields: texts("What was changed") }),
	"tenant.suspended": event("A tenant was suspended", {}),
	"tenant.resumed": event("A tenant was resumed", {}),
	"tenant.deleted": event("The deletion of a tenant has started", {}),

	"user.created": event("A user was created", {
		userId,
		email: text("The user's email"),
		name: text("The user's name"),
		emailVerified: flag("Whether the email is verified"),
	}),
	"user.updated": event("A user was updated", { userId, fields: texts("What was changed") }),
	"user.password-changed": event("A user's password was set or changed", { userId }),
	"user.disabled": event("A user was disabled", { userId }),
	"user.enabled": event("A disabled user was enabled", { userId }),
	"user.impersonated": event("Management started to impersonate a user", { userId }),
	"user.deleted": event("A user was deleted", { userId }),

	"session.created": event("A session was created", {
		sessionId: text("The session"),
		userId,
		...client,
	}),
	"session.revoked": event("A session ended before it expired", {
		sessionId: text("The session"),
		userId,
	}),

	"account.linked": event("A user got an account, or a password", { userId, providerId }),
	"account.unlinked": event("A user lost an account", { userId, providerId }),

	"sign-in.succeeded": event("Somebody signed in", { userId, ...signIn }),
	"sign-in.challenged": event("The first factor was right, and a second one is required", {
		userId: textOrNull("The user, if it is known"),
		...signIn,
	}),
	"sign-in.failed": event("Somebody could not sign in", {
		userId: textOrNull("The user, if there is one"),
		reason: text("Why, for example INVALID_PASSWORD"),
		...signIn,
	}),

	"oauth-config.registered": event("An OAuth config was registered", { providerId }),
	"oauth-config.updated": event("An OAuth config was changed", { providerId }),
	"oauth-config.deleted": event("An OAuth config was deleted", { providerId }),

	"policy.updated": event("The policy was changed", { fields: texts("What was changed") }),
} as const satisfies Record<`${string}.${string}`, ReturnType<typeof event>>;

export type TenantEventType = keyof typeof EVENT_TYPES;

/** What an event of a type says. */
export type TenantEventData<Type extends TenantEventType> = z.output<
	(typeof EVENT_TYPES)[Type]["data"]
>;

/** An event that has no id and no tenant yet. */
export type NewEvent = {
	[Type in TenantEventType]: { type: Type; data: TenantEventData<Type> };
}[TenantEventType];

/** Something that happened in a tenant. `type` says what `data` is. */
export type TenantEvent = NewEvent & {
	/** Unique. A webhook gets it as `webhook-id`. */
	id: string;
	tenantId: string;
	createdAt: Date;
};

/** The option `onEvent`. */
export type OnEvent = (event: TenantEvent) => void | Promise<void>;
