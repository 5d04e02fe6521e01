import { Navigate } from "react-router";
import { LoadingPage } from "./LoadingPage";
import { useSession } from "./session";

export function StartPage() {
	const { data, isPending } = useSession();
	if (isPending) return <LoadingPage />;
	return <Navigate to={data ? "/account" : "/sign-in"} replace />;
}
