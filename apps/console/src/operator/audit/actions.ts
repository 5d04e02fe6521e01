/** What is written down, in words. */
export const ACTIONS: Record<string, string> = {
	"tenant:create": "Created the tenant",
	"tenant:update": "Changed the tenant",
	"tenant:suspend": "Suspended the tenant",
	"tenant:resume": "Resumed the tenant",
	"tenant:delete": "Deleted the tenant",
	"oauth-config:register": "Stored credentials",
	"oauth-config:update": "Changed a provider",
	"oauth-config:delete": "Deleted credentials",
	"user:revoke-sessions": "Signed a user out everywhere",
	"user:delete": "Deleted a user",
	"user:send-password-reset": "Sent a password reset",
	"session:revoke": "Ended a session",
};

export const actionInWords = (action: string): string => ACTIONS[action] ?? action;

const ACTORS: Record<string, string> = {
	server: "The service itself",
	key: "Management key",
	administrator: "Administrator",
	host: "The host's rule",
};

export const actorInWords = (kind: string): string => ACTORS[kind] ?? kind;
