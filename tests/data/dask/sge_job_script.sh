#!/usr/bin/env bash

#$ -N qmon-sweep
#$ -q all.q
#$ -l h_vmem=2G
#$ -l h_rt=02:00:00
#$ -cwd
#$ -j y

/usr/bin/python3 -m distributed.cli.dask_worker tcp://127.0.0.1:40051 --name dummy-name --nthreads 1 --memory-limit 1.86GiB --nanny --death-timeout 60
