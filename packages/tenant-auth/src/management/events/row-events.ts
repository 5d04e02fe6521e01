import { defineCallState, findState } from "../../call/context/current-state";
import type { TenantInstance } from "../../call/context/request-state";
import type { TenantRecord } from "../../call/port/tenant-plugin";
import type { Row, RowWatcher, WriteObserver } from "../../isolation/raw-adapter";
import { emit, hasListeners, hasTransactionListeners } from "./emit";
import type { NewEvent } from "./event-types";

const quiet = defineCallState(() => ({ depth: 0 }));

/** Runs `work` without events of single rows. The deletion of a tenant is one event. */
export async function withoutRowEvents<T>(work: () => Promise<T>): Promise<T> {
	const state = quiet.find();
	if (!state) return work();
	state.depth += 1;
	try {
		return await work();
	} finally {
		state.depth -= 1;
	}
}

/** Makes events of writes to users, sessions and accounts. */
export function rowObserver(instance: TenantInstance): WriteObserver {
	return {
		async watch(model, { tenantId }) {
			const state = findState(instance);
			if (!state || (quiet.find()?.depth ?? 0) > 0) return null;
			// The gate has read it, so this costs no statement.
			const tenant = state.tenant ?? (await state.readTenant(tenantId));
			if (!tenant || tenant.id !== tenantId || !hasListeners(instance, tenant)) return null;
			return watcherOf(instance, tenant, EVENTS_OF[model]);
		},
	};
}

interface RowEvents {
	created(row: Row): NewEvent | null;
	wantsUpdate(values: Row): boolean;
	updated(row: Row, values: Row): NewEvent | null;
	deleted(row: Row): NewEvent | null;
}

function watcherOf(instance: TenantInstance, tenant: TenantRecord, events: RowEvents): RowWatcher {
	const emitAll = async (adapter: Parameters<typeof emit>[1], made: (NewEvent | null)[]) => {
		for (const event of made) if (event) await emit(instance, adapter, tenant, event);
	};
	return {
		needsTransaction: hasTransactionListeners(instance, tenant),
		wantsUpdate: events.wantsUpdate,
		created: (adapter, row) => emitAll(adapter, [events.created(row)]),
		updated: (adapter, rows, values) =>
			emitAll(
				adapter,
				rows.map((row) => events.updated(row, values)),
			),
		deleted: (adapter, rows) => emitAll(adapter, rows.map(events.deleted)),
	};
}

/** In characters. */
const MAX_TEXT = 320;

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const textOrNull = (value: unknown): string | null => textOf(value) || null;

/** Fields that say nothing about the user. */
const UNTOLD = new Set(["id", "tenantId", "createdAt", "updatedAt"]);

const toldFields = (values: Row) =>
	Object.keys(values)
		.filter((name) => !UNTOLD.has(name) && values[name] !== undefined)
		.sort();

const users: RowEvents = {
	created: ({ id, email, name, emailVerified }) => ({
		type: "user.created",
		data: {
			userId: String(id),
			email: textOf(email).slice(0, MAX_TEXT),
			// Better Auth does not limit it, and the event must fit into its row.
			name: textOf(name).slice(0, MAX_TEXT),
			emailVerified: emailVerified === true,
		},
	}),
	wantsUpdate: (values) => toldFields(values).length > 0,
	updated: ({ id }, values) => {
		const userId = String(id);
		if (!("disabledAt" in values)) {
			return { type: "user.updated", data: { userId, fields: toldFields(values) } };
		}
		return { type: values.disabledAt ? "user.disabled" : "user.enabled", data: { userId } };
	},
	deleted: ({ id }) => ({ type: "user.deleted", data: { userId: String(id) } }),
};

export const sessionCreated = ({ id, userId, ipAddress, userAgent }: Row): NewEvent => ({
	type: "session.created",
	data: {
		sessionId: String(id),
		userId: String(userId),
		ipAddress: textOrNull(ipAddress),
		userAgent: textOrNull(userAgent)?.slice(0, 255) ?? null,
	},
});

/** An expired session has ended already. */
export function sessionRevoked({ id, userId, expiresAt }: Row): NewEvent | null {
	if (expiresAt instanceof Date && expiresAt <= new Date()) return null;
	return { type: "session.revoked", data: { sessionId: String(id), userId: String(userId) } };
}

const sessions: RowEvents = {
	created: sessionCreated,
	// A session is renewed often, and that means nothing. One that is kept is ended by its date.
	wantsUpdate: ({ expiresAt }) => expiresAt instanceof Date && expiresAt <= new Date(),
	updated: ({ expiresAt: _, ...row }) => sessionRevoked(row),
	deleted: sessionRevoked,
};

const accounts: RowEvents = {
	created: ({ userId, providerId }) => ({
		type: "account.linked",
		data: { userId: String(userId), providerId: textOf(providerId) },
	}),
	// Tokens change with every sign-in.
	wantsUpdate: (values) => "password" in values,
	updated: ({ userId }) => ({ type: "user.password-changed", data: { userId: String(userId) } }),
	deleted: ({ userId, providerId }) => ({
		type: "account.unlinked",
		data: { userId: String(userId), providerId: textOf(providerId) },
	}),
};

const EVENTS_OF = { user: users, session: sessions, account: accounts };
