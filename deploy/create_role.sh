#!/bin/sh
# Creates the role of the dashboards in a new database; its rights come from `curate store upgrade`.
set -eu
psql --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" --set=ON_ERROR_STOP=1 \
    --set=password="$APP_PASSWORD" <<'SQL'
CREATE ROLE curation_app LOGIN PASSWORD :'password';
SQL
