import "../design/index.css";
import "./operator.css";
import "./access.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { createBrowserRouter } from "react-router";
import { applyTheme } from "../ui/theme";
import { createOperatorQueryClient, OperatorApp } from "./OperatorApp";
import { routes } from "./routes";

applyTheme();
createRoot(document.getElementById("root") as HTMLElement).render(
	<StrictMode>
		<OperatorApp
			queryClient={createOperatorQueryClient()}
			router={createBrowserRouter(routes, { basename: "/console" })}
		/>
	</StrictMode>,
);
