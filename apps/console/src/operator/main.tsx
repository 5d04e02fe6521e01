import "../design/index.css";
import "./operator.css";
import "./access.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router";
import { createQueryClient } from "../api/query-client";
import { ToastProvider } from "../ui/Toast";
import { applyTheme } from "../ui/theme";
import { client } from "./api/client";
import { ApiContext, createConsoleApi } from "./api/context";
import { AUDIT_KEY } from "./api/service";
import { routes } from "./routes";
import { isManagementRejected, operatorQuery } from "./session/operator";

const queryClient = createQueryClient({
	// A key can be revoked and a session can end while the console is open.
	onQueryError: (error) => {
		if (isManagementRejected(error)) void queryClient.invalidateQueries(operatorQuery);
	},
	// Every change writes an audit event.
	onMutationSuccess: () => void queryClient.invalidateQueries({ queryKey: AUDIT_KEY }),
});

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<QueryClientProvider client={queryClient}>
			<ToastProvider>
				<ApiContext value={createConsoleApi(client)}>
					<RouterProvider router={createBrowserRouter(routes, { basename: "/console" })} />
				</ApiContext>
			</ToastProvider>
		</QueryClientProvider>
	</StrictMode>,
);
