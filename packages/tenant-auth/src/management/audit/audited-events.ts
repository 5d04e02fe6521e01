import type { NewEvent } from "../events/event-types";

/** What an audit event says about the change. */
interface Facts {
	targetId: string;
	detail: Record<string, unknown>;
}

type MakeEvent = (facts: Facts) => NewEvent;

const textOf = (value: unknown) => (typeof value === "string" ? value : "");
const ofProvider = (type: Extract<NewEvent["type"], `oauth-config.${string}`>): MakeEvent => {
	return ({ targetId }) => ({ type, data: { providerId: targetId } });
};

/** Changes of users, sessions and accounts are events of their rows (`management/events/row-events.ts`). */
const OF_ROWS = null;
/** Nobody outside of management needs to know. */
const NONE = null;

/**
 * The event of each audited action of `tenantAuth()`; `null` if it has none. A test compares the actions
 * with those of `routes.ts`.
 */
export const EVENT_OF_ACTION: Readonly<Record<`${string}:${string}`, MakeEvent | null>> = {
	"tenant:create": ({ detail }) => ({
		type: "tenant.created",
		data: { name: textOf(detail.name), slug: textOf(detail.slug) },
	}),
	"tenant:update": ({ detail }) => ({
		type: "tenant.updated",
		data: { fields: Object.keys(detail).sort() },
	}),
	"tenant:delete": () => ({ type: "tenant.deleted", data: {} }),
	"tenant:suspend": () => ({ type: "tenant.suspended", data: {} }),
	"tenant:resume": () => ({ type: "tenant.resumed", data: {} }),

	"oauth-config:register": ofProvider("oauth-config.registered"),
	"oauth-config:update": ofProvider("oauth-config.updated"),
	"oauth-config:delete": ofProvider("oauth-config.deleted"),

	"policy:update": ({ detail }) => ({
		type: "policy.updated",
		data: { fields: Object.keys(detail).sort() },
	}),

	"user:create": OF_ROWS,
	"user:update": OF_ROWS,
	"user:disable": OF_ROWS,
	"user:enable": OF_ROWS,
	"user:delete": OF_ROWS,
	"user:revoke-sessions": OF_ROWS,
	"user:impersonate": ({ targetId }) => ({
		type: "user.impersonated",
		data: { userId: targetId },
	}),
	"user:send-password-reset": NONE,
	"user:remove-second-factor": OF_ROWS,
	"user:remove-passkeys": OF_ROWS,
	"user:sign-in-link": NONE,
	"user:use-sign-in-link": NONE,
	"user:map-role": OF_ROWS,
	"session:revoke": OF_ROWS,

	// The tenant does not exist any more.
	"audit:erase": NONE,
};
