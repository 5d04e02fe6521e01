import "../design/pages.css";
import "./operator.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter, RouterProvider } from "react-router";
import { applyTheme } from "../design/theme";
import { queryClient } from "../query";
import { ToastProvider } from "../ui/Toast";
import { routes } from "./routes";
import { askAgainWhenRefused } from "./session/operator";

applyTheme();
askAgainWhenRefused(queryClient);

createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<QueryClientProvider client={queryClient}>
			<ToastProvider>
				<RouterProvider router={createBrowserRouter(routes, { basename: "/console" })} />
			</ToastProvider>
		</QueryClientProvider>
	</StrictMode>,
);
