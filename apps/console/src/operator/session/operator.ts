import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { ApiError, hasCode } from "../../api/client";
import { useToast } from "../../ui/Toast";
import { closeConsole, getCurrentOperator, type Role } from "../api/operators";

export type Operator =
	/** A key that was typed in. */
	| { kind: "key"; name: string; actions: string[] }
	| { kind: "admin"; id: string; email: string; name: string; role: Role; actions: string[] }
	/** An operator who has to set up a second factor first. */
	| { kind: "no-second-factor"; email: string }
	/** Signed in, but not an operator. */
	| { kind: "other-user"; email: string }
	| { kind: "nobody" };

/** Somebody who may use the console. */
export type ConsoleOperator = Extract<Operator, { actions: string[] }>;

export const isInConsole = (operator: Operator): operator is ConsoleOperator =>
	"actions" in operator;

export const operatorQuery = queryOptions({
	queryKey: ["operator"],
	queryFn: findOperator,
	staleTime: Number.POSITIVE_INFINITY,
});

export const useOperator = () => useQuery(operatorQuery);

/** Who uses the console. A page stays as it is while they sign in again. */
export const ConsoleOperatorContext = createContext<ConsoleOperator | undefined>(undefined);

export const useConsoleOperator = () => useContext(ConsoleOperatorContext);

/** Whether the operator may do something, such as `key:create`. */
export function useMay(): (action: string) => boolean {
	const operator = useConsoleOperator();
	return (action) => operator?.actions.includes(action) ?? false;
}

async function findOperator(): Promise<Operator> {
	const current = await getCurrentOperator().catch((error: unknown) => {
		if (error instanceof ApiError && [401, 403].includes(error.status)) return null;
		throw error;
	});
	if (!current) return { kind: "nobody" };
	if (current.status !== "allowed") {
		const isOperator = current.status === "second-factor-required";
		return { kind: isOperator ? "no-second-factor" : "other-user", email: current.email };
	}
	const { id, email, role, actions } = current;
	const name = current.name ?? "";
	if (email === null || role === null)
		return { kind: "key", name: name || "Management key", actions };
	return { kind: "admin", id, email, name, role, actions };
}

export const isManagementRejected = (error: unknown): boolean =>
	hasCode(error, "TENANT_MANAGEMENT_NOT_ALLOWED", "SECOND_FACTOR_REQUIRED");

/** Ends the session of the console. Says so if that did not work. */
export function useSignOut(): () => void {
	const queryClient = useQueryClient();
	const toast = useToast();
	return () => {
		signOut(queryClient).catch(({ message }: Error) => toast(message, "danger"));
	};
}

async function signOut(queryClient: QueryClient): Promise<void> {
	await closeConsole();
	await queryClient.resetQueries(operatorQuery);
	// The next operator must not see data of this one.
	const [operatorKey] = operatorQuery.queryKey;
	queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== operatorKey });
}
