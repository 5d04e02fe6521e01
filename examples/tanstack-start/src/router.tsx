import { createRouter } from "@tanstack/react-router";
import { routeTree } from "./routeTree.gen";

/** TanStack Start calls this for each request, and once in the browser. */
export const getRouter = () => createRouter({ routeTree });
