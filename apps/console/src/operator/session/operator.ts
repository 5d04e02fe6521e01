import { type QueryClient, useQuery } from "@tanstack/react-query";
import { answerOf, isRefusedManagement } from "../api/answer";
import { client } from "../api/client";
import { findManagementKey, forgetManagementKey } from "./management-key";

export type Operator =
	| { kind: "key" }
	| { kind: "administrator"; id: string; email: string }
	/** Signed in, but not one who manages. */
	| { kind: "other-user"; id: string; email: string }
	| { kind: "nobody" };

export const operatorKey = ["operator"];

/** Who is at the console. */
export const useOperator = () =>
	useQuery({ queryKey: operatorKey, queryFn: findOperator, staleTime: Number.POSITIVE_INFINITY });

async function findOperator(): Promise<Operator> {
	if (findManagementKey() !== null) {
		if (await mayManage()) return { kind: "key" };
		forgetManagementKey();
	}
	const session = await answerOf(client.getSession()).catch(() => null);
	if (!session) return { kind: "nobody" };
	const { id, email } = session.user;
	return { kind: (await mayManage()) ? "administrator" : "other-user", id, email };
}

/** Those may who may list the tenants. */
const mayManage = () =>
	answerOf(client.tenant.list({ query: { limit: 1 } })).then(
		() => true,
		(error: unknown) => {
			if (isRefusedManagement(error)) return false;
			throw error;
		},
	);

/** Whether the service takes a key. It is tried before it is kept. */
export const isManagementKey = (key: string): Promise<boolean> =>
	answerOf(
		client.tenant.list({
			query: { limit: 1 },
			fetchOptions: { auth: { type: "Bearer", token: key }, credentials: "omit" },
		}),
	).then(
		() => true,
		(error: unknown) => {
			if (isRefusedManagement(error)) return false;
			throw error;
		},
	);

/** A key may be withdrawn and a session may end while the console is open. */
export function askAgainWhenRefused(queries: QueryClient): void {
	queries.getQueryCache().subscribe(({ type, query }) => {
		if (type !== "updated" || query.queryKey[0] === operatorKey[0]) return;
		if (isRefusedManagement(query.state.error)) {
			void queries.invalidateQueries({ queryKey: operatorKey });
		}
	});
}

export async function leave(queries: QueryClient, operator: Operator): Promise<void> {
	if (operator.kind === "key") forgetManagementKey();
	else await answerOf(client.signOut());
	await queries.resetQueries({ queryKey: operatorKey });
	// Nothing that this operator saw is there for the next.
	queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== operatorKey[0] });
}
