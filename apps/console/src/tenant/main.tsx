import "../design/pages.css";
import "./tenant.css";
import { QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { BrowserRouter } from "react-router";
import { applyTheme } from "../design/theme";
import { queryClient } from "../query";
import { ToastProvider } from "../ui/Toast";
import { readPlacement } from "./placement";
import { TenantRoutes } from "./routes";
import { TenantGate } from "./TenantGate";

const placement = readPlacement();

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<QueryClientProvider client={queryClient}>
			<ToastProvider>
				<BrowserRouter basename={placement.base || "/"}>
					<TenantGate placement={placement}>
						<TenantRoutes />
					</TenantGate>
				</BrowserRouter>
			</ToastProvider>
		</QueryClientProvider>
	</StrictMode>,
);
