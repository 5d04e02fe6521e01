import { ROUTES } from "../worlds/features";

export { ROUTES };

export type RouteName = keyof typeof ROUTES;
