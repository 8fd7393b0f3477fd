import cProfile, pstats, sys, time, io
import pytest
t=time.time(); pr=cProfile.Profile()
own=[] if sys.argv[2]=='triton' else ['-p','fsm.triton.pytest','--fsm-device=gpu']
args=[*own,'-q','--no-header','-W','ignore','-p','no:cacheprovider','-k',sys.argv[1],'src/python/test/unit/language/test_core.py']
pr.enable(); pytest.main(args); pr.disable()
ps=pstats.Stats(pr); ps.sort_stats('tottime').print_stats(40); ps.sort_stats('cumtime').print_stats(90)
print('TOTAL',time.time()-t, time.process_time())
