import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type DataRouter, RouterProvider } from "react-router";
import { createQueryClient } from "../api/query-client";
import { ToastProvider } from "../ui/Toast";
import { client } from "./api/client";
import { ApiContext, createConsoleApi } from "./api/context";
import { AUDIT_KEY } from "./api/service";
import { isManagementRejected, operatorQuery } from "./session/operator";

export function createOperatorQueryClient(): QueryClient {
	/** A key can be revoked and a session can end while the console is open. */
	const checkOperator = (error: Error) => {
		if (isManagementRejected(error)) void queryClient.invalidateQueries(operatorQuery);
	};
	const queryClient = createQueryClient({
		onQueryError: checkOperator,
		onMutationError: checkOperator,
		// Every change writes an audit event.
		onMutationSuccess: () => void queryClient.invalidateQueries({ queryKey: AUDIT_KEY }),
	});
	return queryClient;
}

const api = createConsoleApi(client);

type OperatorAppProps = { queryClient: QueryClient; router: DataRouter };

/** The console for operators. */
export function OperatorApp({ queryClient, router }: OperatorAppProps) {
	return (
		<QueryClientProvider client={queryClient}>
			<ToastProvider>
				<ApiContext value={api}>
					<RouterProvider router={router} />
				</ApiContext>
			</ToastProvider>
		</QueryClientProvider>
	);
}
