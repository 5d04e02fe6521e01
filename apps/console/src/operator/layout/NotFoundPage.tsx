import { Link } from "react-router";
import { EmptyState } from "../../ui/EmptyState";

export function NotFoundPage() {
	return (
		<>
			<title>Not found · Console</title>
			<h1 className="visually-hidden">Not found</h1>
			<EmptyState
				title="There is nothing at this address"
				action={<Link to="/tenants">Go to the tenants</Link>}
			/>
		</>
	);
}
